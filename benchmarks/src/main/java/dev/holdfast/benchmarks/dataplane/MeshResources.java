// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.dataplane;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import com.google.protobuf.UInt32Value;
import com.google.protobuf.util.Durations;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.cluster.v3.LoadBalancingPolicy;
import io.envoyproxy.envoy.config.core.v3.Address;
import io.envoyproxy.envoy.config.core.v3.AggregatedConfigSource;
import io.envoyproxy.envoy.config.core.v3.ConfigSource;
import io.envoyproxy.envoy.config.core.v3.Locality;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import io.envoyproxy.envoy.config.core.v3.TransportSocket;
import io.envoyproxy.envoy.config.core.v3.TypedExtensionConfig;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.endpoint.v3.Endpoint;
import io.envoyproxy.envoy.config.endpoint.v3.LbEndpoint;
import io.envoyproxy.envoy.config.endpoint.v3.LocalityLbEndpoints;
import io.envoyproxy.envoy.config.listener.v3.ApiListener;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RetryPolicy;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteAction;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.config.route.v3.RouteMatch;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import io.envoyproxy.envoy.extensions.filters.http.router.v3.Router;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.Rds;
import io.envoyproxy.envoy.extensions.load_balancing_policies.client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin;
import io.envoyproxy.envoy.extensions.load_balancing_policies.wrr_locality.v3.WrrLocality;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.CertificateProviderPluginInstance;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.CertificateValidationContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.CommonTlsContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext;

/** What the measured channels are configured with. */
final class MeshResources {
  static final String TARGET = "bench";
  private static final String ROUTES = "routes";
  private static final ConfigSource ADS =
      ConfigSource.newBuilder().setAds(AggregatedConfigSource.getDefaultInstance()).build();

  private static final UpstreamTlsContext TRUSTING =
      UpstreamTlsContext.newBuilder()
          .setCommonTlsContext(
              CommonTlsContext.newBuilder()
                  .setValidationContext(
                      CertificateValidationContext.newBuilder()
                          .setCaCertificateProviderInstance(
                              CertificateProviderPluginInstance.newBuilder()
                                  .setInstanceName(MeshCertificates.PROVIDER))))
          .build();

  private MeshResources() {}

  /** The path that the last of the routes takes, which is also the service of its method. */
  static String service(int route) {
    return "bench.Service" + route;
  }

  static String cluster(int number) {
    return "cluster-" + number;
  }

  /**
   * A server with one listener, so many virtual hosts of which the target's is the last, so many
   * routes in that, each to the next of so many clusters, all of which have one endpoint.
   */
  static MeshServer serve(MeshVariant variant, int hosts, int routes, int clusters, int... ports) {
    MeshServer server = new MeshServer();
    server.put(TARGET, listener());
    RouteConfiguration.Builder table = RouteConfiguration.newBuilder().setName(ROUTES);
    for (int host = 0; host < hosts - 1; host++) {
      table.addVirtualHosts(
          VirtualHost.newBuilder()
              .setName("host-" + host)
              .addDomains("host-" + host + ".example.com")
              .addRoutes(route(/* number= */ 0, /* clusters= */ 1)));
    }
    VirtualHost.Builder ours = VirtualHost.newBuilder().setName(TARGET).addDomains(TARGET);
    for (int route = 0; route < routes; route++) {
      ours.addRoutes(route(route, clusters));
    }
    server.put(ROUTES, table.addVirtualHosts(ours).build());
    for (int cluster = 0; cluster < clusters; cluster++) {
      server.put(
          cluster(cluster),
          variant(
              variant,
              Cluster.newBuilder()
                  .setName(cluster(cluster))
                  .setType(Cluster.DiscoveryType.EDS)
                  .setEdsClusterConfig(Cluster.EdsClusterConfig.newBuilder().setEdsConfig(ADS))));
      server.put(cluster(cluster), endpoints(cluster, /* weight= */ 1, ports));
    }
    return server;
  }

  private static Cluster variant(MeshVariant variant, Cluster.Builder cluster) {
    switch (variant) {
      case PLAIN -> {}
      case WEIGHTED ->
          cluster.setLoadBalancingPolicy(
              policy(
                  WrrLocality.newBuilder()
                      .setEndpointPickingPolicy(
                          policy(
                              ClientSideWeightedRoundRobin.newBuilder()
                                  .setBlackoutPeriod(Durations.fromMillis(100))
                                  .build()))
                      .build()));
      case TLS ->
          cluster.setTransportSocket(
              TransportSocket.newBuilder()
                  .setName("envoy.transport_sockets.tls")
                  .setTypedConfig(Any.pack(TRUSTING)));
    }
    return cluster.build();
  }

  private static LoadBalancingPolicy policy(Message policy) {
    return LoadBalancingPolicy.newBuilder()
        .addPolicies(
            LoadBalancingPolicy.Policy.newBuilder()
                .setTypedExtensionConfig(
                    TypedExtensionConfig.newBuilder()
                        .setName("policy")
                        .setTypedConfig(Any.pack(policy))))
        .build();
  }

  private static Listener listener() {
    return Listener.newBuilder()
        .setName(TARGET)
        .setApiListener(
            ApiListener.newBuilder()
                .setApiListener(
                    Any.pack(
                        HttpConnectionManager.newBuilder()
                            .setRds(
                                Rds.newBuilder().setRouteConfigName(ROUTES).setConfigSource(ADS))
                            .addHttpFilters(
                                HttpFilter.newBuilder()
                                    .setName("router")
                                    .setTypedConfig(Any.pack(Router.getDefaultInstance())))
                            .build())))
        .build();
  }

  private static Route route(int number, int clusters) {
    return Route.newBuilder()
        .setMatch(RouteMatch.newBuilder().setPrefix("/" + service(number) + "/"))
        .setRoute(
            RouteAction.newBuilder()
                .setCluster(cluster(number % clusters))
                .setRetryPolicy(
                    RetryPolicy.newBuilder()
                        .setRetryOn("unavailable,cancelled")
                        .setNumRetries(UInt32Value.of(2))))
        .build();
  }

  static ClusterLoadAssignment endpoints(int cluster, int weight, int... ports) {
    LocalityLbEndpoints.Builder locality =
        LocalityLbEndpoints.newBuilder()
            .setLocality(Locality.newBuilder().setRegion("r").setZone("z"))
            .setLoadBalancingWeight(UInt32Value.of(1));
    for (int port : ports) {
      locality.addLbEndpoints(
          LbEndpoint.newBuilder()
              .setLoadBalancingWeight(UInt32Value.of(weight))
              .setEndpoint(
                  Endpoint.newBuilder()
                      .setAddress(
                          Address.newBuilder()
                              .setSocketAddress(
                                  SocketAddress.newBuilder()
                                      .setAddress("127.0.0.1")
                                      .setPortValue(port)))));
    }
    return ClusterLoadAssignment.newBuilder()
        .setClusterName(cluster(cluster))
        .addEndpoints(locality)
        .build();
  }
}
