// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client;

import java.util.List;

/**
 * Who answers for the resource names of one authority (gRFC A47).
 *
 * @param servers in order of preference (gRFC A71); empty to use the bootstrap's top-level list
 * @param fallbackOnReachabilityOnly fall back whenever the preferred server cannot be reached, even
 *     if everything that is watched is already cached
 */
public record AuthorityConfig(List<ServerConfig> servers, boolean fallbackOnReachabilityOnly) {
  public AuthorityConfig {
    servers = List.copyOf(servers);
  }

  /** An authority with servers of its own and the usual conditions for fallback. */
  public static AuthorityConfig of(ServerConfig... servers) {
    return new AuthorityConfig(List.of(servers), /* fallbackOnReachabilityOnly= */ false);
  }
}
