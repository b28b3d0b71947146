// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.observe;

import com.google.protobuf.ByteString;
import dev.holdfast.base.Decoded;
import dev.holdfast.xds.client.Completeness;
import dev.holdfast.xds.client.ResourceType;
import dev.holdfast.xds.client.ServerConfig;

/** A type that nobody decodes. */
record TestType(String typeUrl, String shortName) implements ResourceType<String> {
  static final TestType CDS =
      new TestType("type.googleapis.com/envoy.config.cluster.v3.Cluster", "CDS");
  static final TestType LDS =
      new TestType("type.googleapis.com/envoy.config.listener.v3.Listener", "LDS");

  @Override
  public Completeness completeness() {
    return Completeness.FULL;
  }

  @Override
  public Decoded<String> decode(ByteString serialized, ServerConfig server) {
    return Decoded.valid("x", serialized.toStringUtf8());
  }
}
