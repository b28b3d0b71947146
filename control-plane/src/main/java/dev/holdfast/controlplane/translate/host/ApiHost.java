// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.Digests;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.Resource.Audience;
import dev.holdfast.controlplane.translate.assemble.FieldOrigin;
import dev.holdfast.controlplane.translate.check.ObjectProblem;
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
      FieldOrigin origin,
      List<OrderedRoute> lines,
      HttpOptions options,
      HostPlan.Builder plan) {
    VirtualHostBuilder table = new VirtualHostBuilder(origin, VirtualHosts.grpc(fqdn, List.of()));
    for (OrderedRoute line : lines) {
      String refusal = refusal(line.planned());
      if (refusal != null) {
        plan.remark(
            line.origin().object(),
            ObjectProblem.warning(
                line.origin().field(), "not for gRPC clients that route themselves: " + refusal));
      }
      OrderedRoute usable = refusal == null ? line : line.withoutUpstreams();
      for (Route route : routes(fqdn, usable)) {
        table.add(line.origin(), route, route.hasRoute() ? needs(usable) : List.of());
      }
    }
    plan.own(
        table.resource(
            ResourceNames.apiRoutes(fqdn),
            RouteConfiguration.newBuilder().setName(ResourceNames.apiRoutes(fqdn).name()).build(),
            Audience.BY_NAME));
    plan.own(listener(fqdn, origin, options));
  }

  private static List<Route> routes(String fqdn, OrderedRoute line) {
    dev.holdfast.controlplane.objects.httpproxy.Route route = line.planned().route();
    return route == null
        ? GrpcRoutes.nowhere(line.form().conditions())
        : GrpcRoutes.of(line.spec(route, fqdn), line.form());
  }

  /** Copies are not made by such clients. */
  private static List<String> needs(OrderedRoute line) {
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

  private static Resource listener(String fqdn, FieldOrigin origin, HttpOptions options) {
    var bytes =
        Digests.serialise(Listeners.api(fqdn, ResourceNames.apiRoutes(fqdn).name(), options.ads()));
    String version = Digests.of(bytes);
    return new Resource(
        ResourceNames.apiListener(fqdn),
        version,
        bytes,
        Audience.BY_NAME,
        PersistentMap.<ObjectKey, String>empty().with(origin.object(), version),
        PersistentMap.empty(),
        () -> List.of(origin.of("")));
  }
}
