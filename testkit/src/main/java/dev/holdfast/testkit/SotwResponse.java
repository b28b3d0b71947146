// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import io.grpc.Status;

/** Writes a {@link DiscoveryResponse} in one breath. */
public final class SotwResponse {
  private final DiscoveryResponse.Builder response = DiscoveryResponse.newBuilder();

  private SotwResponse(String typeUrl, String version, String nonce) {
    response.setTypeUrl(typeUrl).setVersionInfo(version).setNonce(nonce);
  }

  /** An empty response. */
  public static SotwResponse of(String typeUrl, String version, String nonce) {
    return new SotwResponse(typeUrl, version, nonce);
  }

  /** Adds resources as they are. */
  public SotwResponse with(Message... resources) {
    for (Message resource : resources) {
      response.addResources(Any.pack(resource));
    }
    return this;
  }

  /** Adds a resource inside a {@link Resource} that names it. */
  public SotwResponse withWrapped(String name, Message resource) {
    return with(Resource.newBuilder().setName(name).setResource(Any.pack(resource)).build());
  }

  /** Adds an entry exactly as given, to send what should not be sent. */
  public SotwResponse withRaw(Any entry) {
    response.addResources(entry);
    return this;
  }

  /** Adds an error in place of a resource (xRFC TP3). */
  public SotwResponse withError(String name, Status.Code code, String message) {
    response.addResourceErrors(ResourceErrors.of(name, code, message));
    return this;
  }

  public DiscoveryResponse build() {
    return response.build();
  }
}
