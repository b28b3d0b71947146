// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.endpoint;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * One server.
 *
 * @param addresses by which it can be reached, the preferred one first (gRFC A61)
 * @param weight its share of the traffic of its locality, at least 1
 * @param hostname for authority rewriting (gRFC A81); empty if it has none
 * @param hashKey what a hash ring places it by (gRFC A76); empty for its first address
 * @param health what the control plane says of it
 */
public record Endpoint(
    List<InetSocketAddress> addresses,
    long weight,
    String hostname,
    String hashKey,
    EndpointHealth health) {
  public Endpoint {
    addresses = List.copyOf(addresses);
  }

  /** One that a hash ring places by its address, and of whose health nothing is known. */
  public Endpoint(List<InetSocketAddress> addresses, long weight, String hostname) {
    this(addresses, weight, hostname, "", EndpointHealth.UNKNOWN);
  }
}
