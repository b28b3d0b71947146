// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import com.google.protobuf.Any;
import dev.holdfast.controlplane.snapshot.Versions;
import dev.holdfast.controlplane.translate.assemble.Origin;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** What policies have to say of a virtual host or of a route, by the name of the filter. */
record Overlay(SortedMap<String, Part> parts) {
  static final Overlay NONE = new Overlay(new TreeMap<>());

  /** What one policy says to one filter. */
  record Part(Origin origin, Any config) {
    String version(String filter) {
      return Versions.of(List.of(filter, Versions.of(Versions.serialise(config))));
    }
  }

  boolean isEmpty() {
    return parts.isEmpty();
  }

  VirtualHost on(VirtualHost host) {
    if (isEmpty()) {
      return host;
    }
    VirtualHost.Builder builder = host.toBuilder();
    parts.forEach((filter, part) -> builder.putTypedPerFilterConfig(filter, part.config()));
    return builder.build();
  }

  Route on(Route route) {
    if (isEmpty()) {
      return route;
    }
    Route.Builder builder = route.toBuilder();
    parts.forEach((filter, part) -> builder.putTypedPerFilterConfig(filter, part.config()));
    return builder.build();
  }
}
