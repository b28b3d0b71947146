// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.listener;

import java.util.List;

/**
 * Which connections a filter chain is for (gRFC A36). An empty list asks for nothing.
 *
 * @param destinationPort a port that connections never have, as the original destination is not
 *     known; {@link #ANY_PORT} if not set
 */
public record FilterChainMatch(
    int destinationPort,
    List<CidrRange> prefixRanges,
    SourceType sourceType,
    List<CidrRange> sourcePrefixRanges,
    List<Integer> sourcePorts,
    List<String> serverNames,
    String transportProtocol,
    List<String> applicationProtocols) {

  public static final int ANY_PORT = -1;

  /** Where a connection may come from. */
  public enum SourceType {
    ANY,
    SAME_IP_OR_LOOPBACK,
    EXTERNAL
  }

  public FilterChainMatch {
    prefixRanges = List.copyOf(prefixRanges);
    sourcePrefixRanges = List.copyOf(sourcePrefixRanges);
    sourcePorts = List.copyOf(sourcePorts);
    serverNames = List.copyOf(serverNames);
    applicationProtocols = List.copyOf(applicationProtocols);
  }
}
