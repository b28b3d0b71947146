// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import dev.holdfast.xds.resources.route.RouteConfiguration;
import dev.holdfast.xds.resources.route.VirtualHost;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Finds the virtual host whose domains fit an authority best: a name in full before {@code
 * *.suffix} before {@code prefix.*} before {@code *}; among those of a kind, the longest. Case does
 * not matter.
 */
final class VirtualHostSearch {
  private VirtualHostSearch() {}

  /** The virtual host; null if none fits. */
  static @Nullable VirtualHost find(RouteConfiguration routes, String authority) {
    String wanted = authority.toLowerCase(Locale.ROOT);
    VirtualHost best = null;
    long bestRank = 0;
    for (VirtualHost host : routes.virtualHosts()) {
      for (String domain : host.domains()) {
        long rank = rank(domain.toLowerCase(Locale.ROOT), wanted);
        if (rank > bestRank) {
          bestRank = rank;
          best = host;
        }
      }
    }
    return best;
  }

  /** How well a domain fits; 0 if not at all. The kind counts before the length. */
  private static long rank(String domain, String authority) {
    if (domain.equals("*")) {
      return 1;
    }
    int length = domain.length();
    boolean roomForStar = authority.length() >= length; // it stands for at least one character
    if (domain.startsWith("*")) {
      return roomForStar && authority.endsWith(domain.substring(1)) ? of(3, length) : 0;
    }
    if (domain.endsWith("*")) {
      return roomForStar && authority.startsWith(domain.substring(0, length - 1))
          ? of(2, length)
          : 0;
    }
    return domain.equals(authority) ? of(4, length) : 0;
  }

  private static long of(int kind, int length) {
    return ((long) kind << 32) + length;
  }
}
