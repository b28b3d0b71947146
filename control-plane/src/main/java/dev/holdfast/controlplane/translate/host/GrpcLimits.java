// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import dev.holdfast.controlplane.objects.httpproxy.DirectResponse;
import dev.holdfast.controlplane.objects.httpproxy.IpFilter;
import dev.holdfast.controlplane.objects.httpproxy.LoadBalancing;
import dev.holdfast.controlplane.objects.httpproxy.Redirect;
import dev.holdfast.controlplane.objects.httpproxy.RetryPolicy;
import dev.holdfast.controlplane.objects.httpproxy.Route;
import dev.holdfast.controlplane.objects.httpproxy.RouteService;
import dev.holdfast.controlplane.objects.httpproxy.VirtualHost;
import dev.holdfast.controlplane.objects.read.Timeout;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What proxyless gRPC clients cannot do with a route. A route that needs it to give the right
 * answer, or to keep callers out, is unavailable to them; what only adds to a call is left out.
 */
final class GrpcLimits {
  /** What gRPC retries on (gRFC A44). */
  private static final Set<RetryPolicy.On> RETRIES =
      EnumSet.of(
          RetryPolicy.On.CANCELLED,
          RetryPolicy.On.DEADLINE_EXCEEDED,
          RetryPolicy.On.INTERNAL,
          RetryPolicy.On.RESOURCE_EXHAUSTED,
          RetryPolicy.On.UNAVAILABLE);

  private static final String NO_COOKIES = "gRPC calls have no cookies";

  private GrpcLimits() {}

  /**
   * Why calls to a route fail.
   *
   * @param word one word, which most clients show as part of the name of the missing cluster
   * @param message the field of the object, and why gRPC clients cannot do what it says
   */
  record Obstacle(String word, String message) {}

  /**
   * The first reason why gRPC clients cannot use a route; null if they can.
   *
   * @param host the virtual host that the route is part of
   */
  static @Nullable Obstacle obstacle(VirtualHost host, Route route, OrderedRoute ordered) {
    if (route.action() instanceof Redirect) {
      return new Obstacle(
          "redirect", "requestRedirectPolicy (gRPC clients do not follow redirects)");
    }
    if (route.action() instanceof DirectResponse) {
      return new Obstacle(
          "direct-response", "directResponsePolicy (gRPC clients cannot answer a call themselves)");
    }
    if (ordered.form().replacement() != null) {
      return new Obstacle("path-rewrite", "pathRewritePolicy (gRPC clients cannot change a path)");
    }
    Obstacle guard = guard(host, route);
    return guard == null ? upstream(ordered.planned()) : guard;
  }

  /** A restriction that only a proxy can enforce: without it, the route would be less protected. */
  private static @Nullable Obstacle guard(VirtualHost host, Route route) {
    IpFilter filter = route.ipFilter() == null ? host.ipFilter() : route.ipFilter();
    if (filter != null) {
      String field = filter.action() == IpFilter.Action.ALLOW ? "ipAllowPolicy" : "ipDenyPolicy";
      return new Obstacle(
          "ip-policy",
          (route.ipFilter() == null ? "virtualhost." : "")
              + field
              + " (gRPC clients would bypass it)");
    }
    if (host.authorization() != null
        && !host.authorization().policy().overriddenBy(route.authPolicy()).disabled()) {
      return new Obstacle(
          "authorization", "virtualhost.authorization (gRPC clients would bypass it)");
    }
    return host.tls() != null && host.tls().clientValidation() != null
        ? new Obstacle(
            "client-certificates",
            "virtualhost.tls.clientValidation (gRPC clients would bypass it)")
        : null;
  }

  private static @Nullable Obstacle upstream(PlannedRoute planned) {
    for (PlannedRoute.Upstream upstream : planned.upstreams()) {
      PlannedCluster cluster = upstream.cluster();
      if (upstream.service().mirror()) {
        continue;
      }
      if (!cluster.externalName().isEmpty()) {
        return new Obstacle(
            "external-name",
            cluster.service() + " of type ExternalName (gRPC clients need endpoints)");
      }
      if (cluster.usesTls()) {
        return new Obstacle(
            "tls-upstream",
            "TLS to " + cluster.service() + " (gRPC clients need protocol h2c here)");
      }
      if (cluster.policy().loadBalancing() == LoadBalancing.RANDOM) {
        return new Obstacle(
            "random", "loadBalancerPolicy.strategy Random (gRPC clients have no such strategy)");
      }
    }
    return null;
  }

  /**
   * Passes on the fields of a usable route that have no effect on gRPC clients, with the reason.
   *
   * @param to receives the path of the field below the route, and the effect
   */
  static void ignored(Route route, BiConsumer<String, String> to) {
    if (!route.conditions().queries().isEmpty()) {
      to.accept("conditions", "a gRPC call has no query parameters, so none matches");
    }
    headers("", route.requestHeaders() != null, route.responseHeaders() != null, to);
    if (route.action() instanceof Route.Forward forward) {
      services(forward.services(), to);
    }
    if (route.rateLimits().local() != null || route.rateLimits().asksService()) {
      to.accept("rateLimitPolicy", "calls are not limited");
    }
    if (route.internalRedirect() != null) {
      to.accept("internalRedirectPolicy", "gRPC clients do not follow redirects");
    }
    if (!route.cookieRewrites().isEmpty()) {
      to.accept("cookieRewritePolicies", NO_COOKIES);
    }
    if (route.healthCheck() != null) {
      to.accept("healthCheckPolicy", "gRPC clients do not check endpoints");
    }
    if (route.loadBalancing() == LoadBalancing.COOKIE) {
      to.accept("loadBalancerPolicy", NO_COOKIES);
    }
    if (route.loadBalancing() == LoadBalancing.REQUEST_HASH) {
      to.accept("loadBalancerPolicy", "calls are not hashed: any endpoint may get them");
    }
    timeouts(route, to);
  }

  private static void services(List<RouteService> services, BiConsumer<String, String> to) {
    for (int i = 0; i < services.size(); i++) {
      RouteService service = services.get(i);
      String path = "services[" + i + "]";
      if (service.mirror()) {
        to.accept(path + ".mirror", "calls are not mirrored");
      } else {
        headers(
            path + ".", service.requestHeaders() != null, service.responseHeaders() != null, to);
        if (!service.cookieRewrites().isEmpty()) {
          to.accept(path + ".cookieRewritePolicies", NO_COOKIES);
        }
      }
    }
  }

  private static void headers(
      String path, boolean request, boolean response, BiConsumer<String, String> to) {
    if (request) {
      to.accept(path + "requestHeadersPolicy", "headers are not changed");
    }
    if (response) {
      to.accept(path + "responseHeadersPolicy", "headers are not changed");
    }
  }

  private static void timeouts(Route route, BiConsumer<String, String> to) {
    if (route.timeouts().idle().kind() != Timeout.Kind.DEFAULT) {
      to.accept("timeoutPolicy.idle", "gRPC clients have no such timeout");
    }
    RetryPolicy retries = route.retries();
    if (retries == null || retries.count() == 0) {
      return;
    }
    if (retries.on().stream().noneMatch(RETRIES::contains)) {
      to.accept("retryPolicy.retryOn", "gRPC clients retry only on gRPC codes such as unavailable");
    }
    if (retries.perTryTimeout() != null) {
      to.accept("retryPolicy.perTryTimeout", "most gRPC clients have no such timeout");
    }
  }
}
