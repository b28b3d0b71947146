// SPDX-License-Identifier: Apache-2.0
package io.grpc.xds;

import io.grpc.xds.client.XdsResourceType;

/** The peer's own resource types, so that its real decoders are measured. */
public final class PeerTypes {
  private PeerTypes() {}

  /** Clusters. */
  public static XdsResourceType<?> cluster() {
    return XdsClusterResource.getInstance();
  }

  /** Endpoints. */
  public static XdsResourceType<?> endpoint() {
    return XdsEndpointResource.getInstance();
  }
}
