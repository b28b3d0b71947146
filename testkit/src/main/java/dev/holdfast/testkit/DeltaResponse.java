// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import io.grpc.Status;
import java.util.List;

/** Writes a {@link DeltaDiscoveryResponse} in one breath. */
public final class DeltaResponse {
  private final DeltaDiscoveryResponse.Builder response = DeltaDiscoveryResponse.newBuilder();

  private DeltaResponse(String typeUrl, String systemVersion, String nonce) {
    response.setTypeUrl(typeUrl).setSystemVersionInfo(systemVersion).setNonce(nonce);
  }

  /** An empty response. */
  public static DeltaResponse of(String typeUrl, String systemVersion, String nonce) {
    return new DeltaResponse(typeUrl, systemVersion, nonce);
  }

  /** Adds a resource. */
  public DeltaResponse with(String name, String version, Message resource) {
    return withRaw(
        Resource.newBuilder()
            .setName(name)
            .setVersion(version)
            .setResource(Any.pack(resource))
            .build());
  }

  /** Adds an entry exactly as given, to send what should not be sent. */
  public DeltaResponse withRaw(Resource entry) {
    response.addResources(entry);
    return this;
  }

  /** Says that resources are gone. */
  public DeltaResponse without(String... names) {
    response.addAllRemovedResources(List.of(names));
    return this;
  }

  /** Adds an error in place of a resource (xRFC TP3). */
  public DeltaResponse withError(String name, Status.Code code, String message) {
    response.addResourceErrors(ResourceErrors.of(name, code, message));
    return this;
  }

  public DeltaDiscoveryResponse build() {
    return response.build();
  }
}
