// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import com.google.protobuf.Any;
import dev.holdfast.controlplane.objects.httpproxy.Authorization;
import dev.holdfast.controlplane.objects.read.Timeout;
import dev.holdfast.controlplane.translate.proto.Anys;
import dev.holdfast.controlplane.translate.proto.Times;
import io.envoyproxy.envoy.config.core.v3.ApiVersion;
import io.envoyproxy.envoy.config.route.v3.FilterConfig;
import io.envoyproxy.envoy.extensions.filters.http.ext_authz.v3.ExtAuthz;
import io.envoyproxy.envoy.extensions.filters.http.ext_authz.v3.ExtAuthzPerRoute;
import io.envoyproxy.envoy.extensions.filters.http.ext_authz.v3.HttpService;
import io.envoyproxy.envoy.type.matcher.v3.ListStringMatcher;
import io.envoyproxy.envoy.type.matcher.v3.StringMatcher;
import io.envoyproxy.envoy.type.v3.StatusCode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Filters that have a service decide about requests. */
public final class Authorizations {
  /** The type of the filter. */
  public static final String TYPE_URL = Anys.of(ExtAuthz.getDefaultInstance()).getTypeUrl();

  private static final Any DISABLED =
      Anys.of(
          FilterConfig.newBuilder().setConfig(Any.getDefaultInstance()).setDisabled(true).build());

  private Authorizations() {}

  /**
   * The filter.
   *
   * @param cluster the name of the service's cluster
   * @param authority the host that the service is asked as
   * @param ofService the timeout of the service, if the author has not written one
   */
  public static ExtAuthz filter(
      Authorization authorization, String cluster, String authority, Timeout ofService) {
    ExtAuthz.Builder filter =
        ExtAuthz.newBuilder()
            .setTransportApiVersion(ApiVersion.V3)
            .setClearRouteCache(true)
            .setIncludePeerCertificate(true)
            .setFailureModeAllow(authorization.failOpen());
    filter.getStatusOnErrorBuilder().setCode(StatusCode.Forbidden);
    Timeout timeout =
        authorization.responseTimeout().kind() == Timeout.Kind.DEFAULT
            ? ofService
            : authorization.responseTimeout();
    com.google.protobuf.Duration limit = Times.of(timeout);
    if (authorization.type() == Authorization.Type.GRPC) {
      filter
          .getGrpcServiceBuilder()
          .getEnvoyGrpcBuilder()
          .setClusterName(cluster)
          .setAuthority(authority);
      if (limit != null) {
        filter.getGrpcServiceBuilder().setTimeout(limit);
      }
    } else {
      setHttp(filter, authorization.http(), cluster, authority, limit);
    }
    if (authorization.body() != null) {
      filter
          .getWithRequestBodyBuilder()
          .setMaxRequestBytes((int) authorization.body().maxBytes())
          .setAllowPartialMessage(authorization.body().allowPartial())
          .setPackAsBytes(authorization.body().packAsBytes());
    }
    return filter.build();
  }

  private static void setHttp(
      ExtAuthz.Builder filter,
      Authorization.Http http,
      String cluster,
      String authority,
      com.google.protobuf.@Nullable Duration limit) {
    HttpService.Builder service = filter.getHttpServiceBuilder();
    service
        .setPathPrefix(http.pathPrefix())
        .getServerUriBuilder()
        .setUri("http://" + authority + "/")
        .setCluster(cluster)
        .setTimeout(limit == null ? com.google.protobuf.Duration.getDefaultInstance() : limit);
    if (!http.toService().isEmpty()) {
      filter.setAllowedHeaders(matcher(http.toService()));
    }
    if (!http.fromService().isEmpty()) {
      service
          .getAuthorizationResponseBuilder()
          .setAllowedUpstreamHeaders(matcher(http.fromService()));
    }
  }

  private static ListStringMatcher matcher(List<Authorization.Header> headers) {
    ListStringMatcher.Builder matcher = ListStringMatcher.newBuilder();
    for (Authorization.Header header : headers) {
      StringMatcher.Builder name = StringMatcher.newBuilder().setIgnoreCase(header.ignoreCase());
      switch (header.match()) {
        case EXACT -> name.setExact(header.text());
        case PREFIX -> name.setPrefix(header.text());
        case SUFFIX -> name.setSuffix(header.text());
        case CONTAINS -> name.setContains(header.text());
      }
      matcher.addPatterns(name);
    }
    return matcher.build();
  }

  /** The configuration of the filter for a virtual host or route. */
  public static Any perRoute(Authorization.Policy policy) {
    if (policy.disabled()) {
      return DISABLED;
    }
    if (policy.context().isEmpty()) {
      return FilterConfigs.ENABLED;
    }
    ExtAuthzPerRoute.Builder perRoute = ExtAuthzPerRoute.newBuilder();
    perRoute.getCheckSettingsBuilder().putAllContextExtensions(policy.context());
    return Anys.of(FilterConfig.newBuilder().setConfig(Anys.of(perRoute.build())).build());
  }
}
