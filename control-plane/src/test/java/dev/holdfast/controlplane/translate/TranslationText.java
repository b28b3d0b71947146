// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import dev.holdfast.base.PersistentMap;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.Snapshot;
import dev.holdfast.controlplane.snapshot.SourcePlace;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.config.route.v3.RouteMatch;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Describes the result of a translation as text. */
final class TranslationText {
  private TranslationText() {}

  static <M extends MessageLite> M parse(ByteString bytes, Parser<M> parser) {
    try {
      return parser.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  static Resource resource(Translation translation, ResourceType type, String name) {
    Resource resource = translation.snapshot().get(type, name);
    assertThat(resource).as("%s/%s", type.word(), name).isNotNull();
    return java.util.Objects.requireNonNull(resource);
  }

  static RouteConfiguration table(Translation translation, String name) {
    return parse(
        resource(translation, ResourceType.ROUTES, name).body(), RouteConfiguration.parser());
  }

  static Listener listener(Translation translation, String name) {
    return parse(resource(translation, ResourceType.LISTENER, name).body(), Listener.parser());
  }

  static Cluster cluster(Translation translation, String name) {
    return parse(resource(translation, ResourceType.CLUSTER, name).body(), Cluster.parser());
  }

  /** The routes of a host without TLS, one line each. */
  static List<String> plain(Translation translation, String host) {
    return lines(host(table(translation, "ingress_http"), host));
  }

  /** The routes of a host with TLS, one line each. */
  static List<String> secure(Translation translation, String host) {
    return lines(host(table(translation, "https/" + host), host));
  }

  private static VirtualHost host(RouteConfiguration table, String name) {
    return table.getVirtualHostsList().stream()
        .filter(host -> host.getName().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name));
  }

  static List<String> hosts(Translation translation) {
    return table(translation, "ingress_http").getVirtualHostsList().stream()
        .map(VirtualHost::getName)
        .toList();
  }

  static List<String> lines(VirtualHost host) {
    return host.getRoutesList().stream().map(TranslationText::line).toList();
  }

  private static String line(Route route) {
    RouteMatch match = route.getMatch();
    StringBuilder line =
        new StringBuilder(
            switch (match.getPathSpecifierCase()) {
              case PATH -> "=" + match.getPath();
              case PREFIX -> match.getPrefix() + "*";
              case PATH_SEPARATED_PREFIX -> match.getPathSeparatedPrefix() + "/*";
              case SAFE_REGEX -> "~" + match.getSafeRegex().getRegex();
              default -> match.toString();
            });
    match.getHeadersList().forEach(header -> line.append(" h:").append(header.getName()));
    match.getQueryParametersList().forEach(query -> line.append(" q:").append(query.getName()));
    return line.append(" -> ").append(action(route)).toString();
  }

  private static String action(Route route) {
    if (route.hasRedirect()) {
      return route.getRedirect().getHttpsRedirect() ? "https" : "redirect";
    }
    if (route.hasDirectResponse()) {
      return Integer.toString(route.getDirectResponse().getStatus());
    }
    String rewrite = route.getRoute().getPrefixRewrite();
    String to =
        route.getRoute().hasWeightedClusters()
            ? route.getRoute().getWeightedClusters().getClustersList().stream()
                .map(cluster -> cluster.getName())
                .toList()
                .toString()
            : route.getRoute().getCluster();
    return to + (rewrite.isEmpty() ? "" : " as " + rewrite);
  }

  /** The names of all resources of a type. */
  static List<String> names(Translation translation, ResourceType type) {
    List<String> names = new ArrayList<>();
    translation.snapshot().listed(type).forEach(resource -> names.add(resource.name()));
    translation.snapshot().byName(type).forEach(resource -> names.add("(" + resource.name() + ")"));
    return names;
  }

  static List<String> problems(Translation translation) {
    List<String> all = new ArrayList<>();
    translation
        .objects()
        .forEach(
            (key, object) ->
                object.problems().forEach(problem -> all.add(key + ": " + problem.problem())));
    return all;
  }

  static List<String> warnings(Translation translation) {
    List<String> all = new ArrayList<>();
    translation
        .objects()
        .forEach(
            (key, object) ->
                object.warnings().forEach(problem -> all.add(key + ": " + problem.problem())));
    return all;
  }

  /** What gRPC clients cannot use, or ignore. */
  static List<String> grpc(Translation translation) {
    List<String> all = new ArrayList<>();
    translation
        .objects()
        .forEach(
            (key, object) -> {
              object.grpc().unavailable().forEach(problem -> all.add(key + " fails " + problem));
              object.grpc().ignored().forEach(problem -> all.add(key + " ignores " + problem));
            });
    return all;
  }

  static List<String> places(Resource resource) {
    return resource.provenance().places().stream()
        .map(
            place ->
                place.path()
                    + " <- "
                    + place.object()
                    + "@"
                    + place.generation()
                    + " "
                    + place.field())
        .toList();
  }

  /** The whole content of a translation, for comparisons. */
  static Map<String, String> everything(Translation translation) {
    Map<String, String> all = new TreeMap<>();
    for (ResourceType type : ResourceType.ALL) {
      Snapshot snapshot = translation.snapshot();
      snapshot.listed(type).forEach(resource -> describe(all, resource));
      snapshot.byName(type).forEach(resource -> describe(all, resource));
    }
    // Absences are only available one by one, as differences from the empty snapshot.
    Snapshot.diff(
        Snapshot.empty(),
        translation.snapshot(),
        (id, before, after) -> {
          if (after == null) {
            all.put("absent " + id, String.valueOf(translation.snapshot().absence(id)));
          }
        });
    translation.objects().forEach((key, object) -> describe(all, object));
    return all;
  }

  private static void describe(Map<String, String> all, Resource resource) {
    all.put(
        resource.id() + (resource.audience() == Resource.Audience.ALL ? "" : " by name"),
        resource.version()
            + "\n"
            + java.util.HexFormat.of().formatHex(resource.body().toByteArray())
            + "\ncontributions "
            + resource.contributions()
            + "\nclusters "
            + resource.clusters()
            + "\n"
            + resource.provenance().places().stream().map(SourcePlace::toString).toList());
  }

  private static void describe(Map<String, String> all, TranslatedObject object) {
    PersistentMap<ResourceId, String> footprint = object.footprint();
    all.put(
        "object " + object.key(),
        object.generation()
            + " "
            + object.participation()
            + " "
            + object.problems()
            + " "
            + object.warnings()
            + " "
            + object.grpc()
            + " "
            + footprint);
  }
}
