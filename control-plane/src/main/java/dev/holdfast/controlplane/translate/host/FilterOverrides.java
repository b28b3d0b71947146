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

/** What policies have to say of a virtual host or of a route, by the name of the filter. */
record FilterOverrides(SortedMap<String, Part> parts) {
  static final FilterOverrides NONE = new FilterOverrides(new TreeMap<>());

  /** What one policy says to one filter. */
  record Part(FieldOrigin origin, Any config) {
    String version(String filter) {
      return Digests.of(List.of(filter, Digests.of(Digests.serialise(config))));
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
