// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.cluster;

import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.decode.Decoding;
import dev.holdfast.xds.resources.decode.TypedConfig;
import io.envoyproxy.envoy.config.cluster.v3.LoadBalancingPolicy;
import io.envoyproxy.envoy.extensions.load_balancing_policies.client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin;
import io.envoyproxy.envoy.extensions.load_balancing_policies.least_request.v3.LeastRequest;
import io.envoyproxy.envoy.extensions.load_balancing_policies.pick_first.v3.PickFirst;
import io.envoyproxy.envoy.extensions.load_balancing_policies.ring_hash.v3.RingHash;
import io.envoyproxy.envoy.extensions.load_balancing_policies.round_robin.v3.RoundRobin;
import io.envoyproxy.envoy.extensions.load_balancing_policies.wrr_locality.v3.WrrLocality;
import org.jspecify.annotations.Nullable;

/**
 * Decodes {@code load_balancing_policy} (gRFC A52): of a list of policies the first that is
 * supported is used. If that one is wrong, the next is no way out.
 */
final class LbPolicyDecoder {
  private static final int MAX_DEPTH = 16;
  private static final String PACKAGE = "envoy.extensions.load_balancing_policies.";

  private final Decoding decoding;

  LbPolicyDecoder(Decoding decoding) {
    this.decoding = decoding;
  }

  /** The policy, or null after reporting why there is none. */
  @Nullable LbPolicy decode(LoadBalancingPolicy proto, Problems problems) {
    return decode(proto, 1, problems);
  }

  private @Nullable LbPolicy decode(LoadBalancingPolicy proto, int depth, Problems problems) {
    if (depth > MAX_DEPTH) {
      problems.invalid("policies within policies (expected: at most " + MAX_DEPTH + " levels)");
      return null;
    }
    for (int i = 0; i < proto.getPoliciesCount(); i++) {
      Problems at = problems.at("policies", i).at("typed_extension_config").at("typed_config");
      int before = problems.count();
      TypedConfig config =
          TypedConfig.of(proto.getPolicies(i).getTypedExtensionConfig().getTypedConfig(), at);
      LbPolicy policy = config == null ? null : decode(config, depth, at);
      if (policy != null || problems.count() > before) {
        return policy;
      }
    }
    problems
        .at("policies")
        .unsupported(
            proto.getPoliciesCount() == 0
                ? "empty (expected: at least one policy)"
                : "none is supported (expected: at least one that is)");
    return null;
  }

  /** The policy; null after reporting a problem, and for one that is not supported. */
  private @Nullable LbPolicy decode(TypedConfig config, int depth, Problems problems) {
    if (config.struct() != null) {
      return decoding.options().customLbPolicies().contains(config.type())
          ? new LbPolicy.Custom(config.type(), config.struct())
          : null;
    }
    if (!config.type().startsWith(PACKAGE)) {
      return null;
    }
    switch (config.type().substring(PACKAGE.length())) {
      case "round_robin.v3.RoundRobin":
        // Nothing of it is used, but it must at least be one.
        return config.unpack(RoundRobin.parser(), problems) == null
            ? null
            : LbPolicies.roundRobin();
      case "pick_first.v3.PickFirst":
        PickFirst pickFirst = config.unpack(PickFirst.parser(), problems);
        return pickFirst == null ? null : new LbPolicy.PickFirst(pickFirst.getShuffleAddressList());
      case "ring_hash.v3.RingHash":
        RingHash ringHash = config.unpack(RingHash.parser(), problems);
        return ringHash == null ? null : LbPolicies.ringHash(ringHash, problems);
      case "least_request.v3.LeastRequest":
        LeastRequest leastRequest = config.unpack(LeastRequest.parser(), problems);
        return leastRequest == null ? null : LbPolicies.leastRequest(leastRequest, problems);
      case "client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin":
        ClientSideWeightedRoundRobin wrr =
            config.unpack(ClientSideWeightedRoundRobin.parser(), problems);
        return wrr == null ? null : WeightedRoundRobinDecoder.decode(wrr, problems);
      case "wrr_locality.v3.WrrLocality":
        WrrLocality locality = config.unpack(WrrLocality.parser(), problems);
        return locality == null ? null : wrrLocality(locality, depth, problems);
      default:
        return null;
    }
  }

  private @Nullable LbPolicy wrrLocality(WrrLocality proto, int depth, Problems problems) {
    LbPolicy child =
        decode(proto.getEndpointPickingPolicy(), depth + 1, problems.at("endpoint_picking_policy"));
    return child == null ? null : LbPolicies.wrrLocality(child);
  }
}
