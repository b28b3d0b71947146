// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.listener;

import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.decode.Decoding;
import dev.holdfast.xds.resources.decode.Text;
import dev.holdfast.xds.resources.filter.FilterSide;
import dev.holdfast.xds.resources.tls.DownstreamTls;
import dev.holdfast.xds.resources.tls.DownstreamTlsDecoder;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decodes one filter chain of a socket listener (gRFC A36). */
final class FilterChainDecoder {
  private FilterChainDecoder() {}

  /** The chain, or null after reporting what is wrong. */
  static @Nullable FilterChain decode(
      io.envoyproxy.envoy.config.listener.v3.FilterChain proto,
      FilterChainMatch match,
      Decoding decoding,
      Problems problems) {
    HttpConnectionManager manager = manager(proto, decoding, problems);
    DownstreamTls tls =
        proto.hasTransportSocket()
            ? DownstreamTlsDecoder.decode(
                proto.getTransportSocket(), decoding, problems.at("transport_socket"))
            : null;
    return manager == null ? null : new FilterChain(proto.getName(), match, manager, tls);
  }

  /** The one network filter that is supported, and that must be the last. */
  private static @Nullable HttpConnectionManager manager(
      io.envoyproxy.envoy.config.listener.v3.FilterChain proto,
      Decoding decoding,
      Problems problems) {
    int count = proto.getFiltersCount();
    if (count == 0) {
      problems.at("filters").required("empty (expected: an HttpConnectionManager)");
      return null;
    }
    Set<String> names = new HashSet<>();
    HttpConnectionManager manager = null;
    for (int i = 0; i < count && !Decoding.full(problems); i++) {
      Problems at = problems.at("filters", i);
      var filter = proto.getFilters(i);
      if (!names.add(filter.getName())) {
        at.at("name").invalid(Text.quote(filter.getName()) + " (expected: no duplicate)");
      }
      manager =
          HttpConnectionManagerDecoder.decode(
              filter.getTypedConfig(), FilterSide.SERVER, decoding, at.at("typed_config"));
      if (manager != null && i < count - 1) {
        at.invalid("an HttpConnectionManager (expected: as the last filter only)");
      }
    }
    return manager;
  }
}
