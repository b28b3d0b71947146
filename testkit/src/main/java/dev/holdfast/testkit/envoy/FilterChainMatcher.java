// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import java.util.Optional;

/** Which filter chain of a listener a connection gets, by its server name. */
final class FilterChainMatcher {
  private FilterChainMatcher() {}

  static Optional<FilterChain> pick(Listener listener, String sni) {
    Optional<FilterChain> found = named(listener, sni);
    for (int dot = sni.indexOf('.'); found.isEmpty() && dot >= 0; dot = sni.indexOf('.', dot + 1)) {
      found = named(listener, "*" + sni.substring(dot));
    }
    if (found.isEmpty()) {
      found =
          listener.getFilterChainsList().stream()
              .filter(chain -> chain.getFilterChainMatch().getServerNamesCount() == 0)
              .findFirst();
    }
    return found.isEmpty() && listener.hasDefaultFilterChain()
        ? Optional.of(listener.getDefaultFilterChain())
        : found;
  }

  private static Optional<FilterChain> named(Listener listener, String name) {
    return listener.getFilterChainsList().stream()
        .filter(chain -> chain.getFilterChainMatch().getServerNamesList().contains(name))
        .findFirst();
  }
}
