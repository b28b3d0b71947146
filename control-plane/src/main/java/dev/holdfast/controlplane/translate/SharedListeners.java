// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import com.google.protobuf.ByteString;
import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.Digests;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.SourcePlace;
import dev.holdfast.controlplane.translate.assemble.SnapshotBuilder;
import dev.holdfast.controlplane.translate.host.FilterUse;
import dev.holdfast.controlplane.translate.host.HostPlanner;
import dev.holdfast.controlplane.translate.host.ResourceNames;
import dev.holdfast.controlplane.translate.proto.ConfigSources;
import dev.holdfast.controlplane.translate.proto.listener.BindAddress;
import dev.holdfast.controlplane.translate.proto.listener.HttpManagers;
import dev.holdfast.controlplane.translate.proto.listener.HttpOptions;
import dev.holdfast.controlplane.translate.proto.listener.Listeners;
import dev.holdfast.controlplane.translate.proto.route.RouteConfigurations;
import dev.holdfast.controlplane.translate.stage.ClusterBuilder;
import dev.holdfast.controlplane.translate.stage.ExtensionStage;
import dev.holdfast.controlplane.translate.stage.HostStage;
import dev.holdfast.controlplane.translate.stage.Stages;
import io.envoyproxy.envoy.config.core.v3.ConfigSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The resources that all hosts share: the plain and the TLS listener, and the route table of plain
 * HTTP.
 */
final class SharedListeners {
  private final HostPlanner planner;
  private final ClusterBuilder clusters;
  private final BindAddress plainAddress;
  private final HttpOptions http;
  private final ByteString plainRoutes;
  private final ByteString fallbackRoutes;

  /** The table that gets its hosts one by one; null if no proxy is offered that. */
  private final @Nullable Resource plainHosts;

  private final ByteString tlsListener;

  SharedListeners(TranslationOptions options) {
    ConfigSource ads = ConfigSources.ads(options.initialFetchTimeout());
    http =
        new HttpOptions(
            ads, options.streamIdleTimeout(), HttpOptions.AccessLog.NONE, options.edge());
    planner = new HostPlanner(http, options.routesPerHost(), options.vhds());
    plainHosts = options.vhds() ? plainHosts(ads) : null;
    clusters = new ClusterBuilder(ads, options.connectTimeout());
    plainAddress = options.http();
    plainRoutes =
        Digests.serialise(RouteConfigurations.skeleton(ResourceNames.PLAIN_ROUTES.name()));
    fallbackRoutes =
        Digests.serialise(RouteConfigurations.skeleton(ResourceNames.FALLBACK_ROUTES.name()));
    tlsListener =
        Digests.serialise(
            Listeners.tls(ResourceNames.TLS_LISTENER.name(), options.https(), List.of()));
  }

  private static Resource plainHosts(ConfigSource ads) {
    ByteString bytes =
        Digests.serialise(RouteConfigurations.byHost(ResourceNames.PLAIN_HOSTS.name(), ads));
    return new Resource(
        ResourceNames.PLAIN_HOSTS,
        Digests.of(bytes),
        bytes,
        Resource.Audience.ALL,
        PersistentMap.empty(),
        PersistentMap.empty(),
        List::of);
  }

  /**
   * The listener contains the filters of all policies, disabled except where a policy enables its
   * own.
   */
  private Resource plainListener(ExtensionStage extensions) {
    List<FilterUse> uses = new ArrayList<>();
    List<SourcePlace> places = new ArrayList<>();
    extensions
        .derived()
        .results()
        .forEach(
            (use, filter) -> {
              uses.add(use);
              filter
                  .provenance()
                  .places()
                  .forEach(
                      place ->
                          places.add(
                              new SourcePlace(
                                  "filter_chains[0]",
                                  place.object(),
                                  place.generation(),
                                  place.field())));
            });
    String name = ResourceNames.PLAIN_LISTENER.name();
    ByteString bytes =
        Digests.serialise(
            Listeners.http(
                name,
                plainAddress,
                HttpManagers.of(
                    name,
                    ResourceNames.PLAIN_ROUTES.name(),
                    uses.stream().map(use -> use.filter(http.ads())).toList(),
                    http)));
    SortedMap<ObjectKey, List<String>> versions = new TreeMap<>();
    uses.forEach(
        use ->
            versions.computeIfAbsent(use.policy(), unused -> new ArrayList<>()).add(use.version()));
    PersistentMap<ObjectKey, String> parts = PersistentMap.empty();
    for (Map.Entry<ObjectKey, List<String>> policy : versions.entrySet()) {
      parts = parts.with(policy.getKey(), Digests.of(policy.getValue()));
    }
    PersistentMap<String, String> filters = PersistentMap.empty();
    for (FilterUse use : uses) {
      filters = filters.with(use.name(), "");
    }
    return new Resource(
        ResourceNames.PLAIN_LISTENER,
        Digests.of(bytes),
        bytes,
        Resource.Audience.ALL,
        parts,
        PersistentMap.empty(),
        filters,
        () -> places);
  }

  HostPlanner planner() {
    return planner;
  }

  ClusterBuilder clusters() {
    return clusters;
  }

  /** Publishes the resources that exist without any object. */
  void publishEmpty(SnapshotBuilder snapshot) {
    snapshot.publish(plainListener(ExtensionStage.EMPTY));
    snapshot.publish(HostStage.EMPTY.plain().resource(ResourceNames.PLAIN_ROUTES, plainRoutes));
    if (plainHosts != null) {
      snapshot.publish(plainHosts);
    }
  }

  /** Publishes the shared resources that changed. */
  void publishChanged(SnapshotBuilder snapshot, Stages before, Stages after) {
    if (before.extensions().derived() != after.extensions().derived()) {
      snapshot.publish(plainListener(after.extensions()));
    }
    HostStage oldHosts = before.hosts();
    HostStage newHosts = after.hosts();
    if (oldHosts.plain() != newHosts.plain()) {
      snapshot.publish(newHosts.plain().resource(ResourceNames.PLAIN_ROUTES, plainRoutes));
    }
    if (oldHosts.fallback() != newHosts.fallback()) {
      if (newHosts.fallback().isEmpty()) {
        snapshot.retract(ResourceNames.FALLBACK_ROUTES);
      } else {
        snapshot.publish(
            newHosts.fallback().resource(ResourceNames.FALLBACK_ROUTES, fallbackRoutes));
      }
    }
    if (oldHosts.chains() != newHosts.chains()) {
      if (newHosts.chains().isEmpty()) {
        snapshot.retract(ResourceNames.TLS_LISTENER);
      } else {
        snapshot.publish(newHosts.chains().resource(ResourceNames.TLS_LISTENER, tlsListener));
      }
    }
  }
}
