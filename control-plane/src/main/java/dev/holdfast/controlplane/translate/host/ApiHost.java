// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.httpproxy.HttpProxy;
import dev.holdfast.controlplane.objects.httpproxy.Route;
import dev.holdfast.controlplane.objects.httpproxy.VirtualHost;
import dev.holdfast.controlplane.snapshot.Digests;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.Resource.Audience;
import dev.holdfast.controlplane.translate.assemble.FieldOrigin;
import dev.holdfast.controlplane.translate.check.ObjectProblem;
import dev.holdfast.controlplane.translate.check.References;
import dev.holdfast.controlplane.translate.host.GrpcLimits.Obstacle;
import dev.holdfast.controlplane.translate.index.FactReader;
import dev.holdfast.controlplane.translate.index.HeaderDefaults;
import dev.holdfast.controlplane.translate.proto.listener.HttpOptions;
import dev.holdfast.controlplane.translate.proto.listener.Listeners;
import dev.holdfast.controlplane.translate.proto.route.GrpcRoutes;
import dev.holdfast.controlplane.translate.proto.route.VirtualHosts;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A host for proxyless gRPC clients: a listener named like the host, sent only to clients that ask
 * for it.
 *
 * <p>A route that such a client cannot follow must not fall through to another route. It leads to a
 * cluster that does not exist, and a client that asks for the cluster is told the reason. Every
 * gRPC client fails the calls of that route alone. A route without a cluster would be more direct,
 * but is not handled by all of them: grpc-js ends the process.
 */
final class ApiHost {
  private final VirtualHost host;
  private final FieldOrigin origin;
  private final HostPolicies policies;
  private final FactReader reader;
  private final HostPlan.Builder plan;

  private ApiHost(
      VirtualHost host,
      FieldOrigin origin,
      HostPolicies policies,
      FactReader reader,
      HostPlan.Builder plan) {
    this.host = host;
    this.origin = origin;
    this.policies = policies;
    this.reader = reader;
    this.plan = plan;
  }

  static void plan(
      VirtualHost host,
      FieldOrigin origin,
      List<OrderedRoute> orderedRoutes,
      HostPolicies policies,
      FactReader reader,
      HttpOptions options,
      HostPlan.Builder plan) {
    String fqdn = host.fqdn();
    VirtualHostBuilder builder = new VirtualHostBuilder(origin, VirtualHosts.grpc(fqdn, List.of()));
    ApiHost api = new ApiHost(host, origin, policies, reader, plan);
    api.reportIgnoredHostFields();
    orderedRoutes.forEach(ordered -> api.add(ordered, builder));
    plan.addResource(
        builder.resource(
            ResourceNames.apiRoutes(fqdn),
            RouteConfiguration.newBuilder().setName(ResourceNames.apiRoutes(fqdn).name()).build(),
            Audience.BY_NAME));
    plan.addResource(listener(fqdn, origin, options));
  }

  private void add(OrderedRoute ordered, VirtualHostBuilder builder) {
    Route route = ordered.planned().route();
    Obstacle obstacle = route == null ? include(ordered) : obstacle(route, ordered);
    if (route == null || obstacle != null) {
      addUnavailable(ordered, obstacle, builder);
      return;
    }
    GrpcLimits.ignored(route, (field, effect) -> report(ordered.origin(), "." + field, effect));
    reportPolicy(ordered);
    List<String> clusters =
        ordered.planned().upstreams().stream()
            .filter(upstream -> !upstream.service().mirror())
            .map(upstream -> upstream.cluster().name())
            .toList();
    GrpcRoutes.of(
            ordered.spec(route, host.fqdn(), HeaderDefaults.NONE), ordered.form().conditions())
        .forEach(each -> builder.add(ordered.origin(), each, clusters));
  }

  /** Adds a route whose calls fail with the reason. */
  private void addUnavailable(
      OrderedRoute ordered, @Nullable Obstacle obstacle, VirtualHostBuilder builder) {
    FieldOrigin at = ordered.origin();
    Obstacle reason = obstacle == null ? new Obstacle("include", "cannot be included") : obstacle;
    String cluster = ResourceNames.unavailableCluster(at.object(), at.field(), reason.word());
    plan.addAbsenceReason(
        ResourceNames.cluster(cluster),
        "calls to " + at.field() + " of " + at.object() + " fail: " + reason.message());
    GrpcRoutes.unavailable(ordered.form().conditions(), cluster)
        .forEach(each -> builder.add(at, each, List.of()));
  }

  private @Nullable Obstacle obstacle(Route route, OrderedRoute ordered) {
    Obstacle limit = GrpcLimits.obstacle(host, route, ordered);
    if (limit == null) {
      String guard =
          policies.accessFilter(
              origin.object(), ordered.origin().object(), ordered.planned().index());
      limit =
          guard == null
              ? null
              : new Obstacle("access-policy", guard + " (gRPC clients would bypass it)");
    }
    if (limit != null) {
      plan.addProblem(
          ordered.origin().object(),
          ObjectProblem.grpcUnavailable(ordered.origin().field(), limit.message()));
      return limit;
    }
    return ordered.planned().upstreams().stream().anyMatch(upstream -> !upstream.service().mirror())
        ? null
        : new Obstacle("service", serviceProblem(route, ordered.origin().object().namespace()));
  }

  /** Why no service of a route can be used; the author learns it from the object's problems. */
  private String serviceProblem(Route route, String namespace) {
    if (route.action() instanceof Route.Forward forward) {
      for (var service : forward.services()) {
        ObjectKey key = References.service(namespace, service.name());
        String problem = References.problem(reader, key, service.port());
        if (problem != null && !service.mirror()) {
          return problem;
        }
      }
    }
    return "none of its services can be used";
  }

  /** Why an include cannot be resolved. */
  private @Nullable Obstacle include(OrderedRoute ordered) {
    HttpProxy proxy = reader.object(ordered.origin().object(), HttpProxy.class);
    int index = ordered.planned().index();
    String problem =
        proxy == null || index >= proxy.includes().size()
            ? null
            : References.includeProblem(reader, References.target(proxy.includes().get(index)));
    return problem == null ? null : new Obstacle("include", problem);
  }

  private void reportIgnoredHostFields() {
    if (host.rateLimits().local() != null || host.rateLimits().asksService()) {
      report(origin, ".rateLimitPolicy", "calls are not limited");
    }
  }

  private void reportPolicy(OrderedRoute ordered) {
    ObjectKey policy =
        policies.first(origin.object(), ordered.origin().object(), ordered.planned().index());
    if (policy != null) {
      report(ordered.origin(), "", "filters of " + policy + " do not apply");
    }
  }

  private void report(FieldOrigin at, String field, String effect) {
    plan.addProblem(at.object(), ObjectProblem.grpcIgnored(at.field() + field, effect));
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
