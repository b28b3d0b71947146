// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.proto;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import com.google.protobuf.TypeRegistry;
import com.google.protobuf.util.JsonFormat;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import org.junit.jupiter.api.Test;

class ResourceSummaryTest {
  private static final String MANAGER =
      "'@type': 'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3."
          + "HttpConnectionManager'";

  @Test
  void aListenerSaysWhereItsRoutesComeFrom() throws Exception {
    assertThat(
            summary(
                Listener.newBuilder(),
                "{apiListener: {apiListener: {" + MANAGER + ", rds: {routeConfigName: 'r'}}}}"))
        .isEqualTo("API listener, routes from r");
    assertThat(
            summary(
                Listener.newBuilder(),
                "{apiListener: {apiListener: {"
                    + MANAGER
                    + ", routeConfig: {virtualHosts: [{}]}}}}"))
        .isEqualTo("API listener, inline routes: 1 virtual host, 0 routes");
    assertThat(
            summary(
                Listener.newBuilder(),
                "{address: {socketAddress: {address: '::1', portValue: 80}}, filterChains: [{}]}"))
        .isEqualTo("socket listener on ::1:80, 1 filter chain");
  }

  @Test
  void routesAndEndpointsAreCounted() throws Exception {
    assertThat(
            summary(
                RouteConfiguration.newBuilder(),
                "{virtualHosts: [{routes: [{}, {}]}, {routes: [{}]}]}"))
        .isEqualTo("2 virtual hosts, 3 routes");
    assertThat(
            summary(
                ClusterLoadAssignment.newBuilder(), "{endpoints: [{lbEndpoints: [{}, {}]}, {}]}"))
        .isEqualTo("2 localities, 2 endpoints");
  }

  @Test
  void aClusterSaysWhereItsEndpointsComeFrom() throws Exception {
    assertThat(summary(Cluster.newBuilder(), "{type: 'EDS', edsClusterConfig: {serviceName: 's'}}"))
        .isEqualTo("EDS, endpoints from s");
    assertThat(summary(Cluster.newBuilder(), "{type: 'LOGICAL_DNS'}")).isEqualTo("LOGICAL_DNS");
    assertThat(summary(Cluster.newBuilder(), "{clusterType: {name: 'envoy.clusters.aggregate'}}"))
        .isEqualTo("envoy.clusters.aggregate");
  }

  private static String summary(Message.Builder builder, String json) throws Exception {
    JsonFormat.parser()
        .usingTypeRegistry(
            TypeRegistry.newBuilder().add(HttpConnectionManager.getDescriptor()).build())
        .merge(json, builder);
    return ResourceSummary.of(builder.build());
  }
}
