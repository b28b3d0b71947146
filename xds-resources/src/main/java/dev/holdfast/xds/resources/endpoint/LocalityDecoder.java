// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.endpoint;

import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.decode.Decoding;
import io.envoyproxy.envoy.config.endpoint.v3.LocalityLbEndpoints;
import java.util.ArrayList;
import java.util.List;

/** Decodes the localities of one assignment. */
final class LocalityDecoder {
  static final long MAX_WEIGHT_SUM = 0xFFFF_FFFFL;

  private final EndpointDecoder endpointDecoder = new EndpointDecoder();

  /** Whether the locality takes part at all; A27 skips the entry if not. */
  static boolean weighted(LocalityLbEndpoints proto) {
    return proto.getLoadBalancingWeight().getValue() != 0;
  }

  /** The locality; incomplete if problems were reported. */
  LocalityEndpoints decode(LocalityLbEndpoints proto, Problems problems) {
    List<Endpoint> endpoints = new ArrayList<>(proto.getLbEndpointsCount());
    long weights = 0;
    for (int i = 0; i < proto.getLbEndpointsCount() && !Decoding.full(problems); i++) {
      EndpointHealth health = EndpointDecoder.health(proto.getLbEndpoints(i));
      if (health == null) {
        continue;
      }
      Endpoint endpoint =
          endpointDecoder.decode(proto.getLbEndpoints(i), health, problems.at("lb_endpoints", i));
      if (endpoint != null) {
        endpoints.add(endpoint);
        weights += endpoint.weight();
      }
    }
    if (weights > MAX_WEIGHT_SUM) {
      problems
          .at("lb_endpoints")
          .invalid("sum of weights: " + weights + " (expected: at most " + MAX_WEIGHT_SUM + ")");
    }
    var locality = proto.getLocality();
    return new LocalityEndpoints(
        new Locality(locality.getRegion(), locality.getZone(), locality.getSubZone()),
        proto.getPriority(),
        Integer.toUnsignedLong(proto.getLoadBalancingWeight().getValue()),
        endpoints);
  }
}
