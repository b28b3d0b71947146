// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.listener;

import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.decode.Decoding;
import dev.holdfast.xds.resources.decode.Text;
import dev.holdfast.xds.resources.decode.TypedConfig;
import dev.holdfast.xds.resources.filter.FilterConfig;
import dev.holdfast.xds.resources.filter.FilterSide;
import dev.holdfast.xds.resources.filter.HttpFilterTypes;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter.ConfigTypeCase;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decodes the chain of HTTP filters (gRFC A39). */
final class HttpFiltersDecoder {
  private final FilterSide side;
  private final Decoding decoding;
  private final List<HttpFilter> filters = new ArrayList<>();
  private final List<IgnoredFilter> ignored = new ArrayList<>();

  private HttpFiltersDecoder(FilterSide side, Decoding decoding) {
    this.side = side;
    this.decoding = decoding;
  }

  /** The filters; incomplete after problems. */
  static HttpFilterChain decode(
      HttpConnectionManager proto, FilterSide side, Decoding decoding, Problems problems) {
    HttpFiltersDecoder decoder = new HttpFiltersDecoder(side, decoding);
    decoder.decode(proto, problems);
    return new HttpFilterChain(decoder.filters, decoder.ignored);
  }

  private void decode(HttpConnectionManager proto, Problems problems) {
    int count = proto.getHttpFiltersCount();
    if (count == 0) {
      problems.at("http_filters").required("empty (expected: at least the router)");
    }
    Set<String> names = new HashSet<>();
    for (int i = 0; i < count && !Decoding.full(problems); i++) {
      Problems at = problems.at("http_filters", i);
      var filter = proto.getHttpFilters(i);
      if (!names.add(filter.getName())) {
        at.at("name").invalid(Text.quote(filter.getName()) + " (expected: no duplicate)");
      }
      decode(filter, /* last= */ i == count - 1, at);
    }
  }

  private void decode(
      io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter filter,
      boolean last,
      Problems problems) {
    int before = problems.count();
    TypedConfig config = supported(filter, problems);
    if (config == null) {
      if (last && problems.count() == before) {
        problems.invalid("ignored, so that no terminal filter is left (expected: the router last)");
      }
      return;
    }
    boolean terminal = HttpFilterTypes.isTerminal(config);
    if (terminal && !last) {
      problems.invalid("the router is terminal (expected: as the last filter only)");
    }
    if (terminal && filter.getDisabled()) {
      problems.at("disabled").invalid("true for the router (expected: not set or false)");
    }
    if (last && !terminal) {
      problems.invalid(
          Text.quote(config.type()) + " is not terminal (expected: the router as the last filter)");
    }
    FilterConfig decoded = HttpFilterTypes.decode(config, decoding, problems.at("typed_config"));
    if (decoded != null) {
      filters.add(new HttpFilter(filter.getName(), decoded, filter.getDisabled()));
    }
  }

  /** The configuration of a filter that there is; null after reporting or noting any other. */
  private @Nullable TypedConfig supported(
      io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter filter,
      Problems problems) {
    Problems at = problems.at("typed_config");
    if (filter.getConfigTypeCase() != ConfigTypeCase.TYPED_CONFIG) {
      if (filter.getIsOptional()) {
        ignored.add(new IgnoredFilter(filter.getName(), ""));
      } else {
        at.required("not set (expected: the configuration of a filter)");
      }
      return null;
    }
    TypedConfig config = TypedConfig.of(filter.getTypedConfig(), at);
    if (config == null || HttpFilterTypes.supports(config, side)) {
      return config;
    }
    if (filter.getIsOptional()) {
      ignored.add(new IgnoredFilter(filter.getName(), config.type()));
    } else {
      at.unsupported(
          Text.quote(config.type())
              + " (expected: a filter that "
              + (side == FilterSide.CLIENT ? "clients" : "servers")
              + " support, or is_optional)");
    }
    return null;
  }
}
