// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.cluster;

import com.google.protobuf.ByteString;
import dev.holdfast.base.Decoded;
import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.DecodeOptions;
import dev.holdfast.xds.resources.decode.Decoding;
import dev.holdfast.xds.resources.tls.UpstreamTls;
import dev.holdfast.xds.resources.tls.UpstreamTlsDecoder;
import io.envoyproxy.envoy.config.cluster.v3.CircuitBreakers.Thresholds;
import io.envoyproxy.envoy.config.core.v3.RoutingPriority;
import org.jspecify.annotations.Nullable;

/** Decodes Cluster resources. */
public final class ClusterDecoder {
  public static final String TYPE_URL = "type.googleapis.com/envoy.config.cluster.v3.Cluster";

  private static final Decoding.NameField<io.envoyproxy.envoy.config.cluster.v3.Cluster> NAME =
      new Decoding.NameField<>("name", io.envoyproxy.envoy.config.cluster.v3.Cluster::getName);

  private ClusterDecoder() {}

  /** Decodes one resource; throws nothing, whatever the bytes. */
  public static Decoded<Cluster> decode(ByteString serialized, DecodeOptions options) {
    return Decoding.resource(
        serialized,
        io.envoyproxy.envoy.config.cluster.v3.Cluster.parser(),
        NAME,
        options,
        ClusterDecoder::decode);
  }

  private static @Nullable Cluster decode(
      io.envoyproxy.envoy.config.cluster.v3.Cluster proto, Decoding decoding, Problems problems) {
    Discovery discovery = DiscoveryDecoder.decode(proto, problems);
    // gRFC A75: what an aggregate cluster says of balancing is ignored, as that of the clusters
    // below it is what counts. Envoy wants CLUSTER_PROVIDED there, which is no policy.
    LbPolicy lbPolicy =
        proto.hasClusterType() ? LbPolicy.DEFAULT : lbPolicy(proto, decoding, problems);
    if (proto.hasLrsServer() && !proto.getLrsServer().hasSelf()) {
      problems.at("lrs_server").unsupported("a server of its own (expected: self, or not set)");
    }
    if (proto.getTransportSocketMatchesCount() > 0) {
      // Which of them applies depends on the endpoint; to ignore them would drop its security.
      problems.at("transport_socket_matches").unsupported("set (expected: transport_socket)");
    }
    UpstreamTls tls =
        proto.hasTransportSocket()
            ? UpstreamTlsDecoder.decode(
                proto.getTransportSocket(), decoding, problems.at("transport_socket"))
            : null;
    OutlierDetection outlierDetection =
        proto.hasOutlierDetection()
            ? OutlierDetectionDecoder.decode(
                proto.getOutlierDetection(), problems.at("outlier_detection"))
            : null;
    SessionAffinity sessions = SessionAffinityDecoder.decode(proto, problems);
    if (discovery == null || lbPolicy == null) {
      return null;
    }
    return new Cluster(
        proto.getName(),
        discovery,
        lbPolicy,
        maxRequests(proto),
        proto.hasLrsServer()
            ? new LoadReporting(
                LoadReporting.UNNAMED, ReportedMetrics.of(proto.getLrsReportEndpointMetricsList()))
            : null,
        tls,
        outlierDetection,
        sessions);
  }

  /** The new field, else the old one (gRFC A52). */
  private static @Nullable LbPolicy lbPolicy(
      io.envoyproxy.envoy.config.cluster.v3.Cluster proto, Decoding decoding, Problems problems) {
    if (proto.hasLoadBalancingPolicy()) {
      return new LbPolicyDecoder(decoding)
          .decode(proto.getLoadBalancingPolicy(), problems.at("load_balancing_policy"));
    }
    switch (proto.getLbPolicy()) {
      case ROUND_ROBIN:
        return LbPolicy.DEFAULT;
      case RING_HASH:
        return LbPolicies.ringHash(proto.getRingHashLbConfig(), problems.at("ring_hash_lb_config"));
      case LEAST_REQUEST:
        LbPolicy leastRequest =
            LbPolicies.leastRequest(
                proto.getLeastRequestLbConfig(), problems.at("least_request_lb_config"));
        return leastRequest == null ? null : LbPolicies.wrrLocality(leastRequest);
      default:
        problems
            .at("lb_policy")
            .unsupported(
                proto.getLbPolicy() + " (expected: ROUND_ROBIN, RING_HASH or LEAST_REQUEST)");
        return null;
    }
  }

  /** A32: the first entry for the default priority counts, and of it only this one number. */
  private static long maxRequests(io.envoyproxy.envoy.config.cluster.v3.Cluster proto) {
    for (Thresholds thresholds : proto.getCircuitBreakers().getThresholdsList()) {
      if (thresholds.getPriority() == RoutingPriority.DEFAULT) {
        return thresholds.hasMaxRequests()
            ? Integer.toUnsignedLong(thresholds.getMaxRequests().getValue())
            : Cluster.DEFAULT_MAX_REQUESTS;
      }
    }
    return Cluster.DEFAULT_MAX_REQUESTS;
  }
}
