// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks;

import com.google.protobuf.Duration;
import com.google.protobuf.UInt32Value;
import io.envoyproxy.envoy.config.cluster.v3.CircuitBreakers;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.cluster.v3.OutlierDetection;
import io.envoyproxy.envoy.config.core.v3.Address;
import io.envoyproxy.envoy.config.core.v3.AggregatedConfigSource;
import io.envoyproxy.envoy.config.core.v3.ApiVersion;
import io.envoyproxy.envoy.config.core.v3.ConfigSource;
import io.envoyproxy.envoy.config.core.v3.HealthStatus;
import io.envoyproxy.envoy.config.core.v3.Locality;
import io.envoyproxy.envoy.config.core.v3.RoutingPriority;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.endpoint.v3.Endpoint;
import io.envoyproxy.envoy.config.endpoint.v3.LbEndpoint;
import io.envoyproxy.envoy.config.endpoint.v3.LocalityLbEndpoints;

/** Resources as a control plane would send them to gRPC clients. */
public final class SampleResources {
  private SampleResources() {}

  /** An EDS cluster with circuit breakers; every fourth has outlier detection too. */
  public static Cluster cluster(String name, int index, int generation) {
    Cluster.Builder cluster =
        Cluster.newBuilder()
            .setName(name)
            .setAltStatName(name.replace('.', '_'))
            .setType(Cluster.DiscoveryType.EDS)
            .setEdsClusterConfig(
                Cluster.EdsClusterConfig.newBuilder()
                    .setServiceName("endpoints/" + name)
                    .setEdsConfig(
                        ConfigSource.newBuilder()
                            .setAds(AggregatedConfigSource.getDefaultInstance())
                            .setResourceApiVersion(ApiVersion.V3)))
            .setConnectTimeout(seconds(5))
            .setLbPolicy(Cluster.LbPolicy.ROUND_ROBIN)
            .setCircuitBreakers(
                CircuitBreakers.newBuilder()
                    .addThresholds(thresholds(RoutingPriority.DEFAULT, 1024 + generation))
                    .addThresholds(thresholds(RoutingPriority.HIGH, 4096)));
    if (index % 4 == 0) {
      cluster.setOutlierDetection(
          OutlierDetection.newBuilder()
              .setInterval(seconds(10))
              .setBaseEjectionTime(seconds(30))
              .setMaxEjectionPercent(UInt32Value.of(20))
              .setEnforcingSuccessRate(UInt32Value.of(100))
              .setSuccessRateMinimumHosts(UInt32Value.of(5))
              .setSuccessRateRequestVolume(UInt32Value.of(100)));
    }
    return cluster.build();
  }

  private static CircuitBreakers.Thresholds thresholds(RoutingPriority priority, int requests) {
    return CircuitBreakers.Thresholds.newBuilder()
        .setPriority(priority)
        .setMaxConnections(UInt32Value.of(1024))
        .setMaxPendingRequests(UInt32Value.of(1024))
        .setMaxRequests(UInt32Value.of(requests))
        .setMaxRetries(UInt32Value.of(3))
        .build();
  }

  /** Two zones with two endpoints each. */
  static ClusterLoadAssignment endpoints(String name, int index, int generation) {
    ClusterLoadAssignment.Builder assignment =
        ClusterLoadAssignment.newBuilder().setClusterName(name);
    for (int zone = 0; zone < 2; zone++) {
      LocalityLbEndpoints.Builder locality =
          LocalityLbEndpoints.newBuilder()
              .setLocality(
                  Locality.newBuilder().setRegion("europe-west4").setZone("europe-west4-" + zone))
              .setLoadBalancingWeight(UInt32Value.of(100));
      for (int host = 1; host <= 2; host++) {
        locality.addLbEndpoints(
            LbEndpoint.newBuilder()
                .setHealthStatus(HealthStatus.HEALTHY)
                .setLoadBalancingWeight(UInt32Value.of(1 + generation))
                .setEndpoint(
                    Endpoint.newBuilder()
                        .setAddress(address("10." + zone + "." + index % 250 + "." + host, 8080))));
      }
      assignment.addEndpoints(locality);
    }
    return assignment.build();
  }

  private static Address address(String ip, int port) {
    return Address.newBuilder()
        .setSocketAddress(SocketAddress.newBuilder().setAddress(ip).setPortValue(port))
        .build();
  }

  private static Duration seconds(int seconds) {
    return Duration.newBuilder().setSeconds(seconds).build();
  }
}
