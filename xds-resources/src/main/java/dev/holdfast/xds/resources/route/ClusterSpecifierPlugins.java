// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.decode.Decoding;
import dev.holdfast.xds.resources.decode.Text;
import dev.holdfast.xds.resources.decode.TypedConfig;
import java.util.HashSet;
import java.util.Set;

/**
 * The plugins that choose clusters, of which this client supports none: one that is not optional
 * rejects the resource, one that is optional takes the routes that use it out of the game.
 *
 * @param names of all plugins that are defined
 */
record ClusterSpecifierPlugins(Set<String> names) {

  static final ClusterSpecifierPlugins NONE = new ClusterSpecifierPlugins(Set.of());

  static ClusterSpecifierPlugins decode(
      io.envoyproxy.envoy.config.route.v3.RouteConfiguration proto, Problems problems) {
    if (proto.getClusterSpecifierPluginsCount() == 0) {
      return NONE;
    }
    Set<String> names = new HashSet<>();
    for (int i = 0; i < proto.getClusterSpecifierPluginsCount(); i++) {
      if (Decoding.full(problems)) {
        break;
      }
      var plugin = proto.getClusterSpecifierPlugins(i);
      Problems at = problems.at("cluster_specifier_plugins", i).at("extension");
      if (!names.add(plugin.getExtension().getName())) {
        at.at("name")
            .invalid(Text.quote(plugin.getExtension().getName()) + " (expected: no duplicate)");
      }
      Problems atConfig = at.at("typed_config");
      TypedConfig config = TypedConfig.of(plugin.getExtension().getTypedConfig(), atConfig);
      if (config != null && !plugin.getIsOptional()) {
        atConfig.unsupported(
            Text.quote(config.type()) + " (expected: no plugin, or one with is_optional)");
      }
    }
    return new ClusterSpecifierPlugins(names);
  }

  /** Checks that the plugin of a route is defined. */
  void resolve(String name, Problems problems) {
    if (!names.contains(name)) {
      problems.invalid(Text.quote(name) + " (expected: a name out of cluster_specifier_plugins)");
    }
  }
}
