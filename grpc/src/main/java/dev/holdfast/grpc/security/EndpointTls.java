// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.security;

import io.grpc.Attributes;

/**
 * The TLS of connections to one endpoint, as an attribute of its addresses.
 *
 * @param sni the name to send in the handshake; empty for none
 */
public record EndpointTls(ClusterTls cluster, String sni) {

  /** How it gets from the balancers to the transport. */
  public static final Attributes.Key<EndpointTls> KEY =
      Attributes.Key.create("dev.holdfast.grpc.endpoint-tls");
}
