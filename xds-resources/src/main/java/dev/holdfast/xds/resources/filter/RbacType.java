// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.filter;

import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.decode.Decoding;
import dev.holdfast.xds.resources.decode.TypedConfig;
import io.envoyproxy.envoy.extensions.filters.http.rbac.v3.RBACPerRoute;
import org.jspecify.annotations.Nullable;

/**
 * The check of who may call what, which is for servers (gRFC A41). Nothing runs it here, so that no
 * listener may have it, but routes that are also for servers may override it.
 */
final class RbacType implements HttpFilterType {
  @Override
  public String type() {
    return "envoy.extensions.filters.http.rbac.v3.RBAC";
  }

  @Override
  public String overrideType() {
    return "envoy.extensions.filters.http.rbac.v3.RBACPerRoute";
  }

  @Override
  public boolean runsOn(FilterSide side) {
    return false;
  }

  @Override
  public FilterConfig decode(TypedConfig config, Decoding decoding, Problems problems) {
    throw new IllegalStateException("runs nowhere");
  }

  @Override
  public @Nullable FilterConfig decodeOverride(
      TypedConfig config, Decoding decoding, Problems problems) {
    return config.message(RBACPerRoute.parser(), problems) == null
        ? null
        : new FilterConfig.ForServers(config.type());
  }
}
