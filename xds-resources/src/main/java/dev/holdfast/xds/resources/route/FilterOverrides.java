// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import com.google.protobuf.Any;
import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.decode.Decoding;
import dev.holdfast.xds.resources.decode.Text;
import dev.holdfast.xds.resources.decode.TypedConfig;
import dev.holdfast.xds.resources.filter.FilterConfig;
import dev.holdfast.xds.resources.filter.FilterOverride;
import dev.holdfast.xds.resources.filter.HttpFilterTypes;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Decodes {@code typed_per_filter_config} (gRFC A39). Whether a filter of that name exists is not
 * asked, as a listener is needed to know.
 */
final class FilterOverrides {
  private static final String FILTER_CONFIG = "envoy.config.route.v3.FilterConfig";

  private final Decoding decoding;

  FilterOverrides(Decoding decoding) {
    this.decoding = decoding;
  }

  /** The overrides by the names of filters; incomplete after problems. */
  Map<String, FilterOverride> decode(Map<String, Any> overrides, Problems problems) {
    if (overrides.isEmpty()) {
      return Map.of();
    }
    Map<String, FilterOverride> decoded = new HashMap<>();
    // Sorted, as the order of a map on the wire is up to whoever wrote it.
    for (Map.Entry<String, Any> override : new TreeMap<>(overrides).entrySet()) {
      if (Decoding.full(problems)) {
        break;
      }
      FilterOverride known =
          decode(
              override.getValue(),
              problems.at("typed_per_filter_config", Text.cut(override.getKey())));
      if (known != null) {
        decoded.put(override.getKey(), known);
      }
    }
    return decoded;
  }

  /** Null after reporting a problem, and for an override that is ignored. */
  private @Nullable FilterOverride decode(Any override, Problems problems) {
    TypedConfig config = TypedConfig.of(override, problems);
    if (config == null || !config.is(FILTER_CONFIG)) {
      return decode(config, /* optional= */ false, problems);
    }
    var wrapper =
        config.unpack(io.envoyproxy.envoy.config.route.v3.FilterConfig.parser(), problems);
    if (wrapper == null) {
      return null;
    }
    if (wrapper.getDisabled()) {
      return FilterOverride.DISABLED; // which needs no configuration
    }
    Problems at = problems.at("config");
    return decode(TypedConfig.of(wrapper.getConfig(), at), wrapper.getIsOptional(), at);
  }

  private @Nullable FilterOverride decode(
      @Nullable TypedConfig config, boolean optional, Problems problems) {
    if (config == null) {
      return null;
    }
    FilterConfig decoded = HttpFilterTypes.decodeOverride(config, optional, decoding, problems);
    return decoded == null ? null : new FilterOverride(decoded);
  }
}
