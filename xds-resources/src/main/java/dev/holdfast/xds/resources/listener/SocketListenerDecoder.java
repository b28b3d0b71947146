// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.listener;

import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.decode.Addresses;
import dev.holdfast.xds.resources.decode.Decoding;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decodes the listener of a server (gRFC A36). */
final class SocketListenerDecoder {
  private SocketListenerDecoder() {}

  /** The listener, or null after reporting what is wrong. */
  static Listener.@Nullable Socket decode(
      io.envoyproxy.envoy.config.listener.v3.Listener proto, Decoding decoding, Problems problems) {
    int before = problems.count();
    Problems atAddress = problems.at("address").at("socket_address");
    SocketAddress address = proto.getAddress().getSocketAddress();
    int port = address(proto, address, atAddress);
    if (proto.getListenerFiltersCount() > 0) {
      problems.at("listener_filters").unsupported("set (expected: none)");
    }
    if (proto.getUseOriginalDst().getValue()) {
      problems.at("use_original_dst").unsupported("true (expected: not set or false)");
    }
    List<FilterChain> chains = filterChains(proto, decoding, problems);
    FilterChain defaultChain = defaultFilterChain(proto, decoding, problems);
    if (problems.count() > before) {
      return null;
    }
    return new Listener.Socket(proto.getName(), address.getAddress(), port, chains, defaultChain);
  }

  private static int address(
      io.envoyproxy.envoy.config.listener.v3.Listener proto,
      SocketAddress address,
      Problems problems) {
    if (!proto.getAddress().hasSocketAddress()) {
      problems.required("not set (expected: where to listen)");
      return -1;
    }
    if (address.getProtocol() != SocketAddress.Protocol.TCP) {
      problems.at("protocol").unsupported(address.getProtocol() + " (expected: TCP)");
    }
    if (address.getAddress().isEmpty()) {
      problems.at("address").required("not set (expected: an IP address)");
    }
    return Addresses.port(address, problems);
  }

  private static List<FilterChain> filterChains(
      io.envoyproxy.envoy.config.listener.v3.Listener proto, Decoding decoding, Problems problems) {
    List<FilterChain> chains = new ArrayList<>(proto.getFilterChainsCount());
    FilterChainConflicts conflicts = new FilterChainConflicts();
    for (int i = 0; i < proto.getFilterChainsCount() && !Decoding.full(problems); i++) {
      Problems at = problems.at("filter_chains", i);
      Problems atMatch = at.at("filter_chain_match");
      var chainProto = proto.getFilterChains(i);
      int before = problems.count();
      FilterChainMatch match =
          FilterChainMatchDecoder.decode(chainProto.getFilterChainMatch(), atMatch);
      if (problems.count() == before) {
        conflicts.add(i, match, atMatch);
      }
      FilterChain chain = FilterChainDecoder.decode(chainProto, match, decoding, at);
      if (chain != null) {
        chains.add(chain);
      }
    }
    return chains;
  }

  /** What it matches does not matter: it is for what the others do not. */
  private static @Nullable FilterChain defaultFilterChain(
      io.envoyproxy.envoy.config.listener.v3.Listener proto, Decoding decoding, Problems problems) {
    if (!proto.hasDefaultFilterChain()) {
      return null;
    }
    Problems at = problems.at("default_filter_chain");
    var chain = proto.getDefaultFilterChain();
    FilterChainMatch match =
        FilterChainMatchDecoder.decode(chain.getFilterChainMatch(), at.at("filter_chain_match"));
    return FilterChainDecoder.decode(chain, match, decoding, at);
  }
}
