// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.listener;

import com.google.protobuf.UInt32Value;
import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.decode.Decoding;
import dev.holdfast.xds.resources.decode.IpLiterals;
import dev.holdfast.xds.resources.decode.Text;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/** Decodes what connections a filter chain is for (gRFC A36). */
final class FilterChainMatchDecoder {
  private static final int MAX_PORT = 65_535;

  private FilterChainMatchDecoder() {}

  /** The match; incomplete if problems were reported. */
  static FilterChainMatch decode(
      io.envoyproxy.envoy.config.listener.v3.FilterChainMatch proto, Problems problems) {
    return new FilterChainMatch(
        destinationPort(proto, problems),
        ranges(proto.getPrefixRangesList(), "prefix_ranges", problems),
        sourceType(proto, problems),
        ranges(proto.getSourcePrefixRangesList(), "source_prefix_ranges", problems),
        proto.getSourcePortsList(),
        proto.getServerNamesList(),
        proto.getTransportProtocol(),
        proto.getApplicationProtocolsList());
  }

  private static int destinationPort(
      io.envoyproxy.envoy.config.listener.v3.FilterChainMatch proto, Problems problems) {
    if (!proto.hasDestinationPort()) {
      return FilterChainMatch.ANY_PORT;
    }
    int port = proto.getDestinationPort().getValue();
    if (port < 0 || port > MAX_PORT) {
      problems
          .at("destination_port")
          .invalid(Integer.toUnsignedString(port) + " (expected: at most " + MAX_PORT + ")");
    }
    return port;
  }

  private static List<CidrRange> ranges(
      List<io.envoyproxy.envoy.config.core.v3.CidrRange> protos, String field, Problems problems) {
    List<CidrRange> ranges = new ArrayList<>(protos.size());
    for (int i = 0; i < protos.size() && !Decoding.full(problems); i++) {
      String address = protos.get(i).getAddressPrefix();
      InetAddress ip = IpLiterals.parse(address);
      if (ip == null) {
        problems
            .at(field, i)
            .at("address_prefix")
            .invalid(Text.quote(address) + " (expected: an IPv4 or IPv6 address)");
        continue;
      }
      UInt32Value length = protos.get(i).getPrefixLen();
      ranges.add(CidrRange.of(ip, Integer.toUnsignedLong(length.getValue())));
    }
    return ranges;
  }

  private static FilterChainMatch.SourceType sourceType(
      io.envoyproxy.envoy.config.listener.v3.FilterChainMatch proto, Problems problems) {
    switch (proto.getSourceType()) {
      case ANY:
        return FilterChainMatch.SourceType.ANY;
      case SAME_IP_OR_LOOPBACK:
        return FilterChainMatch.SourceType.SAME_IP_OR_LOOPBACK;
      case EXTERNAL:
        return FilterChainMatch.SourceType.EXTERNAL;
      default:
        problems
            .at("source_type")
            .invalid(
                proto.getSourceTypeValue() + " (expected: ANY, SAME_IP_OR_LOOPBACK or EXTERNAL)");
        return FilterChainMatch.SourceType.ANY;
    }
  }
}
