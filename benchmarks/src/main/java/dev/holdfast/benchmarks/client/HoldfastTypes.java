// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.holdfast.base.Decoded;
import dev.holdfast.base.Problem;
import dev.holdfast.xds.client.Completeness;
import dev.holdfast.xds.client.ResourceType;
import dev.holdfast.xds.client.ServerConfig;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import java.util.List;

/** This project's resource types. */
final class HoldfastTypes {
  private static final ResourceType<?> CLUSTER = new Plain(Kind.CLUSTER);
  private static final ResourceType<?> ENDPOINT = new Plain(Kind.ENDPOINT);

  private HoldfastTypes() {}

  static ResourceType<?> of(Kind kind) {
    return kind == Kind.CLUSTER ? CLUSTER : ENDPOINT;
  }

  private record Plain(Kind kind) implements ResourceType<Object> {
    @Override
    public String typeUrl() {
      return kind.typeUrl();
    }

    @Override
    public String shortName() {
      return kind == Kind.CLUSTER ? "CDS" : "EDS";
    }

    @Override
    public Completeness completeness() {
      return kind == Kind.CLUSTER ? Completeness.FULL : Completeness.PARTIAL;
    }

    @Override
    public @org.jspecify.annotations.Nullable String peekName(ByteString serialized) {
      try {
        com.google.protobuf.CodedInputStream in = serialized.newCodedInput();
        return in.readTag() == 10 ? in.readString() : null;
      } catch (java.io.IOException e) {
        return null;
      }
    }

    @Override
    public Decoded<Object> decode(ByteString serialized, ServerConfig server) {
      try {
        if (kind == Kind.CLUSTER) {
          Cluster cluster = Cluster.parseFrom(serialized);
          return Decoded.valid(cluster.getName(), cluster);
        }
        ClusterLoadAssignment endpoints = ClusterLoadAssignment.parseFrom(serialized);
        return Decoded.valid(endpoints.getClusterName(), endpoints);
      } catch (InvalidProtocolBufferException e) {
        return Decoded.invalid(
            null, List.of(new Problem("", Problem.Kind.UNDECODABLE, String.valueOf(e))));
      }
    }
  }
}
