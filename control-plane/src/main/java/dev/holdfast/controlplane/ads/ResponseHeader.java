// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.UnsafeByteOperations;
import dev.holdfast.controlplane.snapshot.ResourceType;
import io.envoyproxy.envoy.config.core.v3.ControlPlane;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * What responses of a type say about themselves. Only version and nonce differ from one stream to
 * the next.
 *
 * @param same what all of them say
 */
record ResponseHeader(ByteString same, int versionField, int nonceField) {
  static ResponseHeader sotw(ResourceType type, ControlPlane controlPlane) {
    return new ResponseHeader(
        DiscoveryResponse.newBuilder()
            .setTypeUrl(type.typeUrl())
            .setControlPlane(controlPlane)
            .build()
            .toByteString(),
        DiscoveryResponse.VERSION_INFO_FIELD_NUMBER,
        DiscoveryResponse.NONCE_FIELD_NUMBER);
  }

  static ResponseHeader delta(ResourceType type, ControlPlane controlPlane) {
    return new ResponseHeader(
        DeltaDiscoveryResponse.newBuilder()
            .setTypeUrl(type.typeUrl())
            .setControlPlane(controlPlane)
            .build()
            .toByteString(),
        DeltaDiscoveryResponse.SYSTEM_VERSION_INFO_FIELD_NUMBER,
        DeltaDiscoveryResponse.NONCE_FIELD_NUMBER);
  }

  ByteString with(String version, String nonce) {
    byte[] bytes =
        new byte
            [same.size()
                + CodedOutputStream.computeStringSize(versionField, version)
                + CodedOutputStream.computeStringSize(nonceField, nonce)];
    same.copyTo(bytes, 0);
    CodedOutputStream output =
        CodedOutputStream.newInstance(bytes, same.size(), bytes.length - same.size());
    try {
      output.writeString(versionField, version);
      output.writeString(nonceField, nonce);
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return UnsafeByteOperations.unsafeWrap(bytes);
  }
}
