// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import com.google.protobuf.Any;
import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.decode.Decoding;
import dev.holdfast.xds.resources.decode.Text;
import dev.holdfast.xds.resources.decode.TypedConfig;
import io.envoyproxy.envoy.config.route.v3.FilterConfig;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Checks {@code typed_per_filter_config} (gRFC A39). The one filter there is, the router, has no
 * overrides, so nothing comes out of this but problems; entries that are optional or disabled are
 * ignored. Whether a filter of that name exists is not asked, as a listener is needed to know.
 */
final class FilterOverrides {
  private static final String ROUTER = "envoy.extensions.filters.http.router.v3.Router";
  private static final String FILTER_CONFIG = "envoy.config.route.v3.FilterConfig";

  private FilterOverrides() {}

  static void validate(Map<String, Any> overrides, Problems problems) {
    if (overrides.isEmpty()) {
      return;
    }
    // Sorted, as the order of a map on the wire is up to whoever wrote it.
    for (Map.Entry<String, Any> override : new TreeMap<>(overrides).entrySet()) {
      if (Decoding.full(problems)) {
        return;
      }
      validate(
          override.getValue(), problems.at("typed_per_filter_config", Text.cut(override.getKey())));
    }
  }

  private static void validate(Any override, Problems problems) {
    TypedConfig config = TypedConfig.of(override, problems);
    if (config == null || !config.is(FILTER_CONFIG)) {
      validate(config, /* optional= */ false, problems);
      return;
    }
    FilterConfig wrapper = config.unpack(FilterConfig.parser(), problems);
    // A filter that is switched off for this route needs no configuration.
    if (wrapper != null && !wrapper.getDisabled()) {
      Problems at = problems.at("config");
      validate(TypedConfig.of(wrapper.getConfig(), at), wrapper.getIsOptional(), at);
    }
  }

  private static void validate(@Nullable TypedConfig config, boolean optional, Problems problems) {
    if (config == null) {
      return;
    }
    if (config.type().equals(ROUTER)) {
      problems.invalid("an override for the router (expected: none, it cannot be overridden)");
    } else if (!optional) {
      problems.unsupported(
          Text.quote(config.type()) + " (expected: a supported filter, or is_optional)");
    }
  }
}
