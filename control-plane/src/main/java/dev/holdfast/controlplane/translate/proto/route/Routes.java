// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import dev.holdfast.controlplane.objects.httpproxy.DirectResponse;
import dev.holdfast.controlplane.objects.httpproxy.Redirect;
import io.envoyproxy.envoy.config.core.v3.DataSource;
import io.envoyproxy.envoy.config.route.v3.DirectResponseAction;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteMatch;
import java.util.Map;

/** Routes for Envoy. */
public final class Routes {
  private static final int SERVICE_UNAVAILABLE = 503;

  private Routes() {}

  /** A route of an HTTPProxy in one of its {@link Rewrites#forms forms}. */
  public static Route of(RouteSpec spec, RouteForm form) {
    dev.holdfast.controlplane.objects.httpproxy.Route written = spec.route();
    Map<String, String> substitutes = Map.of("CONTOUR_NAMESPACE", spec.namespace());
    Route.Builder route =
        Route.newBuilder()
            .setMatch(RouteMatches.of(form.conditions(), spec.fqdn()))
            .addAllRequestHeadersToAdd(HeaderMutations.set(written.requestHeaders(), substitutes))
            .addAllRequestHeadersToRemove(HeaderMutations.remove(written.requestHeaders()))
            .addAllResponseHeadersToAdd(HeaderMutations.set(written.responseHeaders(), substitutes))
            .addAllResponseHeadersToRemove(HeaderMutations.remove(written.responseHeaders()))
            .putAllTypedPerFilterConfig(FilterConfigs.of(written, spec.fqdn()));
    if (written.action() instanceof Redirect redirect) {
      route.setRedirect(RedirectActions.of(redirect, form.replacement()));
    } else if (written.action() instanceof DirectResponse response) {
      route.setDirectResponse(answer(response));
    } else if (spec.answering().isEmpty()) {
      route.setDirectResponse(status(SERVICE_UNAVAILABLE));
    } else {
      route.setRoute(ForwardActions.of(spec, form.replacement()));
    }
    return route.build();
  }

  /** A redirect of the same request to HTTPS. */
  public static Route httpsRedirect(RouteMatch match) {
    return Route.newBuilder().setMatch(match).setRedirect(RedirectActions.toHttps()).build();
  }

  /** A route without a destination, which fails requests with a status. */
  public static Route failing(RouteMatch match, int status) {
    return Route.newBuilder().setMatch(match).setDirectResponse(status(status)).build();
  }

  private static DirectResponseAction answer(DirectResponse response) {
    DirectResponseAction.Builder action = status(response.statusCode()).toBuilder();
    if (!response.body().isEmpty()) {
      action.setBody(DataSource.newBuilder().setInlineString(response.body()));
    }
    return action.build();
  }

  private static DirectResponseAction status(int status) {
    return DirectResponseAction.newBuilder().setStatus(status).build();
  }
}
