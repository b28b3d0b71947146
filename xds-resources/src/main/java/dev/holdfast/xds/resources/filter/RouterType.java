// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.filter;

import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.decode.Decoding;
import dev.holdfast.xds.resources.decode.TypedConfig;
import org.jspecify.annotations.Nullable;

/** The router, whose configuration is ignored (gRFC A39). */
final class RouterType implements HttpFilterType {
  @Override
  public String type() {
    return "envoy.extensions.filters.http.router.v3.Router";
  }

  @Override
  public boolean runsOn(FilterSide side) {
    return true;
  }

  @Override
  public boolean terminal() {
    return true;
  }

  @Override
  public FilterConfig decode(TypedConfig config, Decoding decoding, Problems problems) {
    return new FilterConfig.Router();
  }

  @Override
  public @Nullable FilterConfig decodeOverride(
      TypedConfig config, Decoding decoding, Problems problems) {
    problems.invalid("an override for the router (expected: none, it cannot be overridden)");
    return null;
  }
}
