// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import com.google.protobuf.Any;
import dev.holdfast.controlplane.snapshot.Digests;
import dev.holdfast.controlplane.translate.assemble.FieldOrigin;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The configuration that policies set for the filters of a virtual host or a route, by the name of
 * the filter.
 */
record FilterOverrides(SortedMap<String, Part> parts) {
  static final FilterOverrides NONE = new FilterOverrides(new TreeMap<>());

  /** The configuration that one policy sets for one filter. */
  record Part(FieldOrigin origin, Any config) {
    String version(String filter) {
      return Digests.of(List.of(filter, Digests.of(Digests.serialise(config))));
    }
  }

  boolean isEmpty() {
    return parts.isEmpty();
  }

  VirtualHost applyTo(VirtualHost host) {
    if (isEmpty()) {
      return host;
    }
    VirtualHost.Builder builder = host.toBuilder();
    parts.forEach((filter, part) -> builder.putTypedPerFilterConfig(filter, part.config()));
    return builder.build();
  }

  Route applyTo(Route route) {
    if (isEmpty()) {
      return route;
    }
    Route.Builder builder = route.toBuilder();
    parts.forEach((filter, part) -> builder.putTypedPerFilterConfig(filter, part.config()));
    return builder.build();
  }
}
