// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.cluster;

import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.decode.Addresses;
import dev.holdfast.xds.resources.decode.Text;
import dev.holdfast.xds.resources.decode.TypedConfig;
import io.envoyproxy.envoy.config.cluster.v3.Cluster.CustomClusterType;
import io.envoyproxy.envoy.config.cluster.v3.Cluster.EdsClusterConfig;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.endpoint.v3.LbEndpoint;
import io.envoyproxy.envoy.extensions.clusters.aggregate.v3.ClusterConfig;
import org.jspecify.annotations.Nullable;

/** Decodes where the endpoints of a cluster come from (gRFC A27, A37, A47). */
final class DiscoveryDecoder {
  private static final String AGGREGATE = "envoy.extensions.clusters.aggregate.v3.ClusterConfig";
  private static final String XDSTP = "xdstp:";

  private DiscoveryDecoder() {}

  /** The discovery, or null after reporting what is wrong. */
  static @Nullable Discovery decode(
      io.envoyproxy.envoy.config.cluster.v3.Cluster proto, Problems problems) {
    switch (proto.getClusterDiscoveryTypeCase()) {
      case TYPE:
        switch (proto.getType()) {
          case EDS:
            return eds(proto, problems);
          case LOGICAL_DNS:
            return logicalDns(proto, problems.at("load_assignment"));
          default:
            problems.at("type").unsupported(proto.getType() + " (expected: EDS or LOGICAL_DNS)");
            return null;
        }
      case CLUSTER_TYPE:
        return aggregate(proto.getClusterType(), problems.at("cluster_type").at("typed_config"));
      default:
        problems.at("type").required("not set (expected: EDS, LOGICAL_DNS or a cluster_type)");
        return null;
    }
  }

  private static Discovery eds(
      io.envoyproxy.envoy.config.cluster.v3.Cluster proto, Problems problems) {
    EdsClusterConfig config = proto.getEdsClusterConfig();
    if (!config.getEdsConfig().hasAds() && !config.getEdsConfig().hasSelf()) {
      problems
          .at("eds_cluster_config")
          .at("eds_config")
          .invalid("neither ads nor self (expected: one of them)");
    }
    String service = config.getServiceName();
    if (!service.isEmpty() && !service.equals(proto.getName())) {
      return new Discovery.Eds(service);
    }
    if (service.isEmpty() && proto.getName().regionMatches(true, 0, XDSTP, 0, XDSTP.length())) {
      // The name of a cluster says so in its type, so it cannot also be that of an assignment.
      problems
          .at("eds_cluster_config")
          .at("service_name")
          .required("not set (expected: set whenever the cluster has an xdstp name)");
    }
    return new Discovery.Eds(proto.getName());
  }

  private static @Nullable Discovery logicalDns(
      io.envoyproxy.envoy.config.cluster.v3.Cluster proto, Problems problems) {
    if (!proto.hasLoadAssignment()) {
      problems.required("not set (expected: the host to resolve)");
      return null;
    }
    ClusterLoadAssignment assignment = proto.getLoadAssignment();
    if (assignment.getEndpointsCount() != 1) {
      problems
          .at("endpoints")
          .invalid(assignment.getEndpointsCount() + " localities (expected: exactly 1)");
      return null;
    }
    Problems at = problems.at("endpoints", 0);
    if (assignment.getEndpoints(0).getLbEndpointsCount() != 1) {
      at.at("lb_endpoints")
          .invalid(
              assignment.getEndpoints(0).getLbEndpointsCount()
                  + " endpoints (expected: exactly 1)");
      return null;
    }
    return logicalDns(
        assignment.getEndpoints(0).getLbEndpoints(0), at.at("lb_endpoints", 0).at("endpoint"));
  }

  private static @Nullable Discovery logicalDns(LbEndpoint endpoint, Problems problems) {
    Problems at = problems.at("address").at("socket_address");
    if (!endpoint.getEndpoint().getAddress().hasSocketAddress()) {
      at.required("not set (expected: the host to resolve)");
      return null;
    }
    SocketAddress address = endpoint.getEndpoint().getAddress().getSocketAddress();
    if (address.getAddress().isEmpty()) {
      at.at("address").required("empty (expected: the host to resolve)");
    }
    if (!address.getResolverName().isEmpty()) {
      at.at("resolver_name")
          .unsupported(Text.quote(address.getResolverName()) + " (expected: not set)");
    }
    int port = Addresses.port(address, at);
    return new Discovery.LogicalDns(address.getAddress(), port);
  }

  private static @Nullable Discovery aggregate(CustomClusterType proto, Problems problems) {
    TypedConfig config = TypedConfig.of(proto.getTypedConfig(), problems);
    if (config == null) {
      return null;
    }
    if (!config.is(AGGREGATE)) {
      problems.unsupported(Text.quote(config.type()) + " (expected: " + AGGREGATE + ")");
      return null;
    }
    ClusterConfig clusters = config.unpack(ClusterConfig.parser(), problems);
    if (clusters == null) {
      return null;
    }
    if (clusters.getClustersCount() == 0) {
      problems.at("clusters").required("empty (expected: at least one cluster)");
    }
    return new Discovery.Aggregate(clusters.getClustersList());
  }
}
