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

/** What all hosts share: two listeners, and the routes of all that is not TLS. */
final class SharedListeners {
  private final HostPlanner planner;
  private final ClusterBuilder clusters;
  private final BindAddress plainAddress;
  private final HttpOptions http;
  private final ByteString plainRoutes;
  private final ByteString tlsListener;

  SharedListeners(TranslationOptions options) {
    ConfigSource ads = ConfigSources.ads(options.initialFetchTimeout());
    http = new HttpOptions(ads, options.streamIdleTimeout(), HttpOptions.AccessLog.NONE);
    planner = new HostPlanner(http);
    clusters = new ClusterBuilder(ads, options.connectTimeout());
    plainAddress = options.http();
    plainRoutes =
        Digests.serialise(RouteConfigurations.skeleton(ResourceNames.PLAIN_ROUTES.name()));
    tlsListener =
        Digests.serialise(
            Listeners.tls(ResourceNames.TLS_LISTENER.name(), options.https(), List.of()));
  }

  /** Has room for the filters of all policies, each off but where its policy turns it on. */
  private Resource plainListener(ExtensionStage extensions) {
    List<FilterUse> uses = new ArrayList<>();
    List<SourcePlace> places = new ArrayList<>();
    extensions
        .made()
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
    SortedMap<ObjectKey, List<String>> said = new TreeMap<>();
    uses.forEach(
        use -> said.computeIfAbsent(use.policy(), unused -> new ArrayList<>()).add(use.version()));
    PersistentMap<ObjectKey, String> parts = PersistentMap.empty();
    for (Map.Entry<ObjectKey, List<String>> policy : said.entrySet()) {
      parts = parts.with(policy.getKey(), Digests.of(policy.getValue()));
    }
    return new Resource(
        ResourceNames.PLAIN_LISTENER,
        Digests.of(bytes),
        bytes,
        Resource.Audience.ALL,
        parts,
        PersistentMap.empty(),
        () -> places);
  }

  HostPlanner planner() {
    return planner;
  }

  ClusterBuilder clusters() {
    return clusters;
  }

  /** Publishes what is there without any object. */
  void open(SnapshotBuilder publication) {
    publication.publish(plainListener(ExtensionStage.EMPTY));
    publication.publish(HostStage.EMPTY.plain().resource(ResourceNames.PLAIN_ROUTES, plainRoutes));
  }

  /** Publishes what hosts add up to, where that is something else now. */
  void assemble(SnapshotBuilder publication, Stages was, Stages is) {
    if (was.extensions().made() != is.extensions().made()) {
      publication.publish(plainListener(is.extensions()));
    }
    HostStage before = was.hosts();
    HostStage after = is.hosts();
    if (before.plain() != after.plain()) {
      publication.publish(after.plain().resource(ResourceNames.PLAIN_ROUTES, plainRoutes));
    }
    if (before.chains() != after.chains()) {
      if (after.chains().isEmpty()) {
        publication.retract(ResourceNames.TLS_LISTENER);
      } else {
        publication.publish(after.chains().resource(ResourceNames.TLS_LISTENER, tlsListener));
      }
    }
  }
}
