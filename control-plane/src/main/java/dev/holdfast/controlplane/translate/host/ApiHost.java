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
 * A host for proxyless gRPC clients: a listener named like the host, sent only to clients that ask
 * for it. A call to a route that such a client cannot follow fails, instead of falling through to
 * another route.
 */
final class ApiHost {
  private ApiHost() {}

  static void plan(
      String fqdn,
      FieldOrigin origin,
      List<OrderedRoute> orderedRoutes,
      HttpOptions options,
      HostPlan.Builder plan) {
    VirtualHostBuilder builder = new VirtualHostBuilder(origin, VirtualHosts.grpc(fqdn, List.of()));
    for (OrderedRoute ordered : orderedRoutes) {
      String incompatibility = incompatibility(ordered.planned());
      if (incompatibility != null) {
        plan.addProblem(
            ordered.origin().object(),
            ObjectProblem.warning(
                ordered.origin().field(),
                "not for gRPC clients that route themselves: " + incompatibility));
      }
      OrderedRoute usable = incompatibility == null ? ordered : ordered.withoutUpstreams();
      for (Route route : routes(fqdn, usable)) {
        builder.add(ordered.origin(), route, route.hasRoute() ? clusters(usable) : List.of());
      }
    }
    plan.addResource(
        builder.resource(
            ResourceNames.apiRoutes(fqdn),
            RouteConfiguration.newBuilder().setName(ResourceNames.apiRoutes(fqdn).name()).build(),
            Audience.BY_NAME));
    plan.addResource(listener(fqdn, origin, options));
  }

  private static List<Route> routes(String fqdn, OrderedRoute ordered) {
    dev.holdfast.controlplane.objects.httpproxy.Route route = ordered.planned().route();
    return route == null
        ? GrpcRoutes.nowhere(ordered.form().conditions())
        : GrpcRoutes.of(ordered.spec(route, fqdn), ordered.form());
  }

  /** The clusters of a route without mirrors, which gRPC clients do not support. */
  private static List<String> clusters(OrderedRoute ordered) {
    return ordered.planned().upstreams().stream()
        .filter(upstream -> !upstream.service().mirror())
        .map(upstream -> upstream.cluster().name())
        .toList();
  }

  private static @Nullable String incompatibility(PlannedRoute planned) {
    return planned.upstreams().stream()
        .filter(upstream -> !upstream.service().mirror())
        .map(upstream -> upstream.cluster().grpcIncompatibility())
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
