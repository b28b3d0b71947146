// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.cluster;

import dev.holdfast.controlplane.translate.proto.Anys;
import dev.holdfast.controlplane.translate.proto.Times;
import io.envoyproxy.envoy.config.cluster.v3.CircuitBreakers;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.ConfigSource;
import io.envoyproxy.envoy.extensions.upstreams.http.v3.HttpProtocolOptions;
import io.envoyproxy.envoy.type.v3.CodecClientType;
import java.time.Duration;

/**
 * Services as clusters. The same cluster serves Envoy and, unless it {@link ClusterSpec#usesTls
 * uses TLS}, gRPC clients.
 */
public final class Clusters {
  private Clusters() {}

  public static Cluster of(ClusterSpec spec, ConfigSource ads, Duration connectTimeout) {
    Cluster.Builder cluster =
        Cluster.newBuilder().setName(spec.name()).setConnectTimeout(Times.limit(connectTimeout));
    setDestination(cluster, spec.destination(), ads);
    Balancing.set(cluster, spec.loadBalancing());
    if (spec.healthCheck() != null) {
      // A removed endpoint is dropped at once, not only when it fails its health check.
      cluster
          .addHealthChecks(HealthChecks.of(spec.healthCheck(), codec(spec)))
          .setIgnoreHealthOnHostRemoval(true);
    }
    CircuitBreakers breakers = CircuitBreaking.of(spec.settings());
    if (breakers != null) {
      cluster.setCircuitBreakers(breakers);
    }
    HttpProtocolOptions http = HttpProtocols.of(spec);
    if (http != null) {
      cluster.putTypedExtensionProtocolOptions(HttpProtocols.KEY, Anys.of(http));
    }
    if (spec.usesTls()) {
      cluster.setTransportSocket(UpstreamSockets.of(spec, ads));
    }
    return cluster.build();
  }

  private static void setDestination(
      Cluster.Builder cluster, ClusterSpec.Destination destination, ConfigSource ads) {
    if (destination instanceof ClusterSpec.Endpoints endpoints) {
      cluster
          .setType(Cluster.DiscoveryType.EDS)
          .getEdsClusterConfigBuilder()
          .setServiceName(endpoints.name())
          .setEdsConfig(ads);
    } else if (destination instanceof ClusterSpec.DnsName name) {
      cluster
          .setType(Cluster.DiscoveryType.STRICT_DNS)
          .getLoadAssignmentBuilder()
          .setClusterName(cluster.getName())
          .addEndpointsBuilder()
          .addLbEndpointsBuilder()
          .getEndpointBuilder()
          .getAddressBuilder()
          .getSocketAddressBuilder()
          .setAddress(name.name())
          .setPortValue(name.port());
    }
  }

  private static CodecClientType codec(ClusterSpec spec) {
    return spec.usesHttp2() ? CodecClientType.HTTP2 : CodecClientType.HTTP1;
  }
}
