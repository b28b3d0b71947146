// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.Resource.Audience;
import dev.holdfast.controlplane.snapshot.Versions;
import dev.holdfast.controlplane.translate.assemble.Origin;
import dev.holdfast.controlplane.translate.check.Remark;
import dev.holdfast.controlplane.translate.proto.listener.HttpOptions;
import dev.holdfast.controlplane.translate.proto.listener.Listeners;
import dev.holdfast.controlplane.translate.proto.route.GrpcRoutes;
import dev.holdfast.controlplane.translate.proto.route.VirtualHosts;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A host for gRPC clients that route themselves: a listener of its name, given to those who ask. A
 * route that such clients cannot take fails their calls instead of letting them go elsewhere.
 */
final class ApiHost {
  private ApiHost() {}

  static void plan(
      String fqdn,
      Origin origin,
      List<RouteLine> lines,
      HttpOptions options,
      HostPlan.Builder plan) {
    HostTable table = new HostTable(origin, VirtualHosts.grpc(fqdn, List.of()));
    for (RouteLine line : lines) {
      String refusal = refusal(line.planned());
      if (refusal != null) {
        plan.remark(
            line.origin().object(),
            Remark.warning(
                line.origin().field(), "not served to proxyless gRPC clients: " + refusal));
      }
      RouteLine usable = refusal == null ? line : line.withoutUpstreams();
      for (Route route : routes(fqdn, usable)) {
        table.add(line.origin(), route, route.hasRoute() ? needs(usable) : List.of());
      }
    }
    plan.own(
        table.resource(
            Names.apiRoutes(fqdn),
            RouteConfiguration.newBuilder().setName(Names.apiRoutes(fqdn).name()).build(),
            Audience.BY_NAME));
    plan.own(listener(fqdn, origin, options));
  }

  private static List<Route> routes(String fqdn, RouteLine line) {
    dev.holdfast.controlplane.objects.httpproxy.Route route = line.planned().route();
    return route == null
        ? GrpcRoutes.nowhere(line.form().conditions())
        : GrpcRoutes.of(line.spec(route, fqdn), line.form());
  }

  /** Copies are not made by such clients. */
  private static List<String> needs(RouteLine line) {
    return line.planned().upstreams().stream()
        .filter(upstream -> !upstream.service().mirror())
        .map(upstream -> upstream.cluster().name())
        .toList();
  }

  private static @Nullable String refusal(PlannedRoute planned) {
    return planned.upstreams().stream()
        .filter(upstream -> !upstream.service().mirror())
        .map(upstream -> upstream.cluster().grpcRefusal())
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private static Resource listener(String fqdn, Origin origin, HttpOptions options) {
    var bytes =
        Versions.serialise(Listeners.api(fqdn, Names.apiRoutes(fqdn).name(), options.ads()));
    String version = Versions.of(bytes);
    return new Resource(
        Names.apiListener(fqdn),
        version,
        bytes,
        Audience.BY_NAME,
        PersistentMap.<ObjectKey, String>empty().with(origin.object(), version),
        PersistentMap.empty(),
        () -> List.of(origin.of("")));
  }
}
