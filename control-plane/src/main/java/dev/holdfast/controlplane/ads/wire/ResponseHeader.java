// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

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
 * The fields of a response that surround its resources: type URL, control plane, version and nonce.
 * Only version and nonce differ from one stream to the next.
 *
 * @param shared the serialised fields that all responses of the type share
 */
record ResponseHeader(ByteString shared, int versionField, int nonceField) {
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
            [shared.size()
                + CodedOutputStream.computeStringSize(versionField, version)
                + CodedOutputStream.computeStringSize(nonceField, nonce)];
    shared.copyTo(bytes, 0);
    CodedOutputStream output =
        CodedOutputStream.newInstance(bytes, shared.size(), bytes.length - shared.size());
    try {
      output.writeString(versionField, version);
      output.writeString(nonceField, nonce);
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return UnsafeByteOperations.unsafeWrap(bytes);
  }
}
