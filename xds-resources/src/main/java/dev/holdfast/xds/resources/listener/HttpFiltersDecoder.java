// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.listener;

import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.decode.Decoding;
import dev.holdfast.xds.resources.decode.Text;
import dev.holdfast.xds.resources.decode.TypedConfig;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter.ConfigTypeCase;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the chain of HTTP filters (gRFC A39). The router is the only filter that is supported;
 * its configuration is ignored, as the gRFC says.
 */
final class HttpFiltersDecoder {
  private HttpFiltersDecoder() {}

  /** The filters, without optional ones that are not supported; incomplete after problems. */
  static List<HttpFilter> decode(HttpConnectionManager proto, Problems problems) {
    int count = proto.getHttpFiltersCount();
    if (count == 0) {
      problems.at("http_filters").required("empty (expected: at least the router)");
    }
    List<HttpFilter> filters = new ArrayList<>(count);
    Set<String> names = new HashSet<>();
    for (int i = 0; i < count && !Decoding.full(problems); i++) {
      Problems at = problems.at("http_filters", i);
      var filter = proto.getHttpFilters(i);
      if (!names.add(filter.getName())) {
        at.at("name").invalid(Text.quote(filter.getName()) + " (expected: no duplicate)");
      }
      int before = problems.count();
      HttpFilter decoded = decode(filter, at);
      boolean last = i == count - 1;
      if (decoded == null) {
        if (last && problems.count() == before) {
          at.invalid("ignored, so that no terminal filter is left (expected: the router last)");
        }
        continue;
      }
      if (!last) {
        at.invalid("the router is terminal (expected: as the last filter only)");
      }
      filters.add(decoded);
    }
    return filters;
  }

  /** The router; null after reporting any other filter, or if that is optional. */
  private static @Nullable HttpFilter decode(
      io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter filter,
      Problems problems) {
    boolean optional = filter.getIsOptional();
    if (filter.getConfigTypeCase() != ConfigTypeCase.TYPED_CONFIG) {
      if (!optional) {
        problems.at("typed_config").required("not set (expected: the configuration of a filter)");
      }
      return null;
    }
    Problems at = problems.at("typed_config");
    TypedConfig config = TypedConfig.of(filter.getTypedConfig(), at);
    if (config == null) {
      return null;
    }
    if (config.type().equals(HttpFilter.ROUTER)) {
      return new HttpFilter(filter.getName(), HttpFilter.ROUTER);
    }
    if (!optional) {
      at.unsupported(Text.quote(config.type()) + " (expected: the router, or is_optional)");
    }
    return null;
  }
}
