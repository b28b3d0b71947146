// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import com.google.protobuf.Any;
import dev.holdfast.controlplane.snapshot.Digests;
import dev.holdfast.controlplane.translate.assemble.FieldOrigin;
import dev.holdfast.controlplane.translate.proto.route.FilterConfigs;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The configuration that policies set for the filters of a virtual host or a route, by the name of
 * the filter.
 */
record FilterOverrides(SortedMap<String, Part> parts) {
  static final FilterOverrides NONE = new FilterOverrides(new TreeMap<>());

  /**
   * The configuration that one policy sets for one filter.
   *
   * @param otherNames names under which the filter is enabled as well
   * @param required whether the filter has to be there before the host or route is served
   */
  record Part(FieldOrigin origin, Any config, List<String> otherNames, boolean required) {
    /** The configuration of a filter that has to be there. */
    static Part required(FieldOrigin origin, Any config) {
      return new Part(origin, config, List.of(), /* required= */ true);
    }

    String version(String filter) {
      return Digests.of(List.of(filter, Digests.of(Digests.serialise(config))));
    }
  }

  /** A copy with the configuration of one more filter. */
  FilterOverrides with(String filter, Part part) {
    SortedMap<String, Part> more = new TreeMap<>(parts);
    more.put(filter, part);
    return new FilterOverrides(more);
  }

  boolean isEmpty() {
    return parts.isEmpty();
  }

  VirtualHost applyTo(VirtualHost host) {
    if (isEmpty()) {
      return host;
    }
    VirtualHost.Builder builder = host.toBuilder();
    configs().forEach(builder::putTypedPerFilterConfig);
    return builder.build();
  }

  Route applyTo(Route route) {
    if (isEmpty()) {
      return route;
    }
    Route.Builder builder = route.toBuilder();
    configs().forEach(builder::putTypedPerFilterConfig);
    return builder.build();
  }

  private SortedMap<String, Any> configs() {
    SortedMap<String, Any> configs = new TreeMap<>();
    parts.forEach(
        (filter, part) ->
            part.otherNames().forEach(other -> configs.put(other, FilterConfigs.ENABLED)));
    parts.forEach((filter, part) -> configs.put(filter, part.config()));
    return configs;
  }

  /** The filters of policies that have to be there before these are served. */
  Set<String> required() {
    Set<String> required = new TreeSet<>();
    parts.forEach(
        (filter, part) -> {
          if (part.required()) {
            required.add(filter);
          }
        });
    return required;
  }
}
