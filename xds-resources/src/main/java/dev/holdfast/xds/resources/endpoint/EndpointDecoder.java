// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.endpoint;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.decode.Addresses;
import dev.holdfast.xds.resources.decode.Decoding;
import io.envoyproxy.envoy.config.core.v3.Address;
import io.envoyproxy.envoy.config.endpoint.v3.LbEndpoint;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decodes the endpoints of one assignment, no two of which may share an address (gRFC A27). */
final class EndpointDecoder {
  private final Set<InetSocketAddress> seen = new HashSet<>();

  /** How an endpoint is; null if no traffic may go there: A27 ignores such an entry. */
  static @Nullable EndpointHealth health(LbEndpoint proto) {
    switch (proto.getHealthStatus()) {
      case UNKNOWN:
        return EndpointHealth.UNKNOWN;
      case HEALTHY:
        return EndpointHealth.HEALTHY;
      case DRAINING:
        return EndpointHealth.DRAINING;
      default:
        return null;
    }
  }

  /** The endpoint, or null after reporting what is wrong. */
  @Nullable Endpoint decode(LbEndpoint proto, EndpointHealth health, Problems problems) {
    long weight = weight(proto, problems);
    if (!proto.hasEndpoint()) {
      problems.at("endpoint").required("not set (expected: an address)");
      return null;
    }
    var endpoint = proto.getEndpoint();
    Problems at = problems.at("endpoint");
    InetSocketAddress first =
        address(endpoint.hasAddress(), endpoint.getAddress(), health, at.at("address"));
    int additional = endpoint.getAdditionalAddressesCount();
    if (additional == 0) {
      return first == null
          ? null
          : new Endpoint(List.of(first), weight, endpoint.getHostname(), hashKey(proto), health);
    }
    List<InetSocketAddress> addresses = new ArrayList<>(1 + additional);
    if (first != null) {
      addresses.add(first);
    }
    for (int i = 0; i < additional && !Decoding.full(problems); i++) {
      var entry = endpoint.getAdditionalAddresses(i);
      InetSocketAddress address =
          address(
              entry.hasAddress(),
              entry.getAddress(),
              health,
              at.at("additional_addresses", i).at("address"));
      if (address != null) {
        addresses.add(address);
      }
    }
    return new Endpoint(addresses, weight, endpoint.getHostname(), hashKey(proto), health);
  }

  /** An endpoint that is draining may also be there as another one, to which it has moved. */
  private @Nullable InetSocketAddress address(
      boolean set, Address proto, EndpointHealth health, Problems problems) {
    if (!set) {
      problems.required("not set (expected: an IP address and a port)");
      return null;
    }
    InetSocketAddress address = Addresses.ip(proto, problems);
    if (address != null && health != EndpointHealth.DRAINING && !seen.add(address)) {
      problems.invalid(
          address.getAddress().getHostAddress()
              + " port "
              + address.getPort()
              + " (expected: only once in the cluster)");
    }
    return address;
  }

  /** As Envoy has it; what is not a text is none. */
  private static String hashKey(LbEndpoint proto) {
    if (!proto.hasMetadata()) {
      return "";
    }
    Struct lb = proto.getMetadata().getFilterMetadataMap().get("envoy.lb");
    Value key = lb == null ? null : lb.getFieldsMap().get("hash_key");
    return key == null ? "" : key.getStringValue();
  }

  private static long weight(LbEndpoint proto, Problems problems) {
    if (!proto.hasLoadBalancingWeight()) {
      return 1;
    }
    long weight = Integer.toUnsignedLong(proto.getLoadBalancingWeight().getValue());
    if (weight == 0) {
      problems.at("load_balancing_weight").invalid("0 (expected: not set or at least 1)");
    }
    return weight;
  }
}
