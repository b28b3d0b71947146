// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import com.google.protobuf.ByteString;
import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.Place;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.Versions;
import dev.holdfast.controlplane.translate.assemble.Publication;
import dev.holdfast.controlplane.translate.host.FilterUse;
import dev.holdfast.controlplane.translate.host.HostPlanner;
import dev.holdfast.controlplane.translate.host.Names;
import dev.holdfast.controlplane.translate.proto.ConfigSources;
import dev.holdfast.controlplane.translate.proto.listener.BindAddress;
import dev.holdfast.controlplane.translate.proto.listener.HttpManagers;
import dev.holdfast.controlplane.translate.proto.listener.HttpOptions;
import dev.holdfast.controlplane.translate.proto.listener.Listeners;
import dev.holdfast.controlplane.translate.proto.route.RouteConfigurations;
import dev.holdfast.controlplane.translate.stage.ClusterMaker;
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
final class Edge {
  private final HostPlanner planner;
  private final ClusterMaker clusters;
  private final BindAddress plainAddress;
  private final HttpOptions http;
  private final ByteString plainRoutes;
  private final ByteString tlsListener;

  Edge(TranslationOptions options) {
    ConfigSource ads = ConfigSources.ads(options.initialFetchTimeout());
    http = new HttpOptions(ads, options.streamIdleTimeout(), HttpOptions.AccessLog.NONE);
    planner = new HostPlanner(http);
    clusters = new ClusterMaker(ads, options.connectTimeout());
    plainAddress = options.http();
    plainRoutes = Versions.serialise(RouteConfigurations.skeleton(Names.PLAIN_ROUTES.name()));
    tlsListener =
        Versions.serialise(Listeners.tls(Names.TLS_LISTENER.name(), options.https(), List.of()));
  }

  /** Has room for the filters of all policies, each off but where its policy turns it on. */
  private Resource plainListener(ExtensionStage extensions) {
    List<FilterUse> uses = new ArrayList<>();
    List<Place> places = new ArrayList<>();
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
                              new Place(
                                  "filter_chains[0]",
                                  place.object(),
                                  place.generation(),
                                  place.field())));
            });
    String name = Names.PLAIN_LISTENER.name();
    ByteString bytes =
        Versions.serialise(
            Listeners.http(
                name,
                plainAddress,
                HttpManagers.of(
                    name,
                    Names.PLAIN_ROUTES.name(),
                    uses.stream().map(use -> use.filter(http.ads())).toList(),
                    http)));
    SortedMap<ObjectKey, List<String>> said = new TreeMap<>();
    uses.forEach(
        use -> said.computeIfAbsent(use.policy(), unused -> new ArrayList<>()).add(use.version()));
    PersistentMap<ObjectKey, String> parts = PersistentMap.empty();
    for (Map.Entry<ObjectKey, List<String>> policy : said.entrySet()) {
      parts = parts.with(policy.getKey(), Versions.of(policy.getValue()));
    }
    return new Resource(
        Names.PLAIN_LISTENER,
        Versions.of(bytes),
        bytes,
        Resource.Audience.ALL,
        parts,
        PersistentMap.empty(),
        () -> places);
  }

  HostPlanner planner() {
    return planner;
  }

  ClusterMaker clusters() {
    return clusters;
  }

  /** Publishes what is there without any object. */
  void open(Publication publication) {
    publication.publish(plainListener(ExtensionStage.EMPTY));
    publication.publish(HostStage.EMPTY.plain().resource(Names.PLAIN_ROUTES, plainRoutes));
  }

  /** Publishes what hosts add up to, where that is something else now. */
  void assemble(Publication publication, Stages was, Stages is) {
    if (was.extensions().made() != is.extensions().made()) {
      publication.publish(plainListener(is.extensions()));
    }
    HostStage before = was.hosts();
    HostStage after = is.hosts();
    if (before.plain() != after.plain()) {
      publication.publish(after.plain().resource(Names.PLAIN_ROUTES, plainRoutes));
    }
    if (before.chains() != after.chains()) {
      if (after.chains().isEmpty()) {
        publication.retract(Names.TLS_LISTENER);
      } else {
        publication.publish(after.chains().resource(Names.TLS_LISTENER, tlsListener));
      }
    }
  }
}
