// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.httpproxy;

import dev.holdfast.controlplane.objects.read.Fields;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A route: conditions, an action and policies.
 *
 * @param requestHeaders null if headers are not changed; likewise for the other policies
 */
public record Route(
    Conditions conditions,
    Action action,
    boolean permitInsecure,
    boolean enableWebsockets,
    TimeoutPolicy timeouts,
    @Nullable RetryPolicy retries,
    @Nullable HealthCheck healthCheck,
    LoadBalancerPolicy balancing,
    List<ReplacePrefix> pathRewrite,
    @Nullable HeadersPolicy requestHeaders,
    @Nullable HeadersPolicy responseHeaders,
    RateLimitPolicy rateLimits,
    @Nullable IpFilter ipFilter,
    @Nullable InternalRedirect internalRedirect,
    List<CookieRewrite> cookieRewrites,
    Authorization.@Nullable Policy authPolicy) {

  /** What happens to a matching request. */
  public sealed interface Action permits Forward, Redirect, DirectResponse {}

  /** Forwards the request to one of these services, by weight. */
  public record Forward(List<RouteService> services) implements Action {}

  /** How an endpoint is chosen. */
  public LoadBalancing loadBalancing() {
    return balancing.strategy();
  }

  static Route decode(Fields fields) {
    Conditions conditions = Conditions.ofRoute(fields);
    Route route =
        new Route(
            conditions,
            action(fields),
            fields.flag("permitInsecure"),
            fields.flag("enableWebsockets"),
            TimeoutPolicy.decode(fields),
            fields.group("retryPolicy", RetryPolicy::decode),
            fields.group("healthCheckPolicy", HealthCheck::decode),
            LoadBalancerPolicy.of(fields),
            ReplacePrefix.policy(fields),
            HeadersPolicy.request(fields, HeadersPolicy.Scope.ROUTE_REQUEST),
            HeadersPolicy.response(fields),
            RateLimitPolicy.of(fields),
            IpFilter.decode(fields),
            fields.group("internalRedirectPolicy", InternalRedirect::decode),
            CookieRewrite.policies(fields),
            fields.group("authPolicy", Authorization.Policy::decode));
    fields.reject("jwtVerificationPolicy", "JWT verification");
    if (!route.pathRewrite().isEmpty() && conditions.path().kind() != Conditions.PathKind.PREFIX) {
      fields.invalid(
          "pathRewritePolicy", "without a prefix condition (expected: conditions with a prefix)");
    }
    return route;
  }

  private static Action action(Fields fields) {
    List<RouteService> services = fields.groups("services", RouteService::ofRoute);
    Redirect redirect = fields.group("requestRedirectPolicy", Redirect::decode);
    DirectResponse response = fields.group("directResponsePolicy", DirectResponse::decode);
    List<String> actions =
        Stream.of("services", "requestRedirectPolicy", "directResponsePolicy")
            .filter(fields::has)
            .toList();
    if (actions.size() != 1) {
      fields.invalid(
          (actions.isEmpty() ? "no action" : String.join(" and ", actions))
              + " (expected: exactly one of services, requestRedirectPolicy,"
              + " directResponsePolicy)");
    } else if (fields.has("services")) {
      RouteService.checkTogether(services, fields);
    }
    return redirect != null ? redirect : response != null ? response : new Forward(services);
  }
}
