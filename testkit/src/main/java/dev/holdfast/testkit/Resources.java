// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.TypeRegistry;
import com.google.protobuf.util.JsonFormat;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.FilterConfig;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.extensions.clusters.aggregate.v3.ClusterConfig;
import io.envoyproxy.envoy.extensions.filters.http.fault.v3.HTTPFault;
import io.envoyproxy.envoy.extensions.filters.http.rbac.v3.RBAC;
import io.envoyproxy.envoy.extensions.filters.http.rbac.v3.RBACPerRoute;
import io.envoyproxy.envoy.extensions.filters.http.router.v3.Router;
import io.envoyproxy.envoy.extensions.filters.http.stateful_session.v3.StatefulSession;
import io.envoyproxy.envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState;
import io.envoyproxy.envoy.extensions.load_balancing_policies.client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin;
import io.envoyproxy.envoy.extensions.load_balancing_policies.least_request.v3.LeastRequest;
import io.envoyproxy.envoy.extensions.load_balancing_policies.pick_first.v3.PickFirst;
import io.envoyproxy.envoy.extensions.load_balancing_policies.ring_hash.v3.RingHash;
import io.envoyproxy.envoy.extensions.load_balancing_policies.round_robin.v3.RoundRobin;
import io.envoyproxy.envoy.extensions.load_balancing_policies.wrr_locality.v3.WrrLocality;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext;
import io.envoyproxy.envoy.extensions.upstreams.http.v3.HttpProtocolOptions;

/**
 * Resources for tests: from JSON (the form that Envoy's documentation uses, snake or camel case),
 * or the smallest one that a gRPC client accepts.
 */
public final class Resources {
  private static final JsonFormat.Parser JSON =
      JsonFormat.parser()
          .usingTypeRegistry(
              TypeRegistry.newBuilder()
                  .add(HttpConnectionManager.getDescriptor())
                  .add(Router.getDescriptor())
                  .add(HTTPFault.getDescriptor())
                  .add(StatefulSession.getDescriptor())
                  .add(StatefulSessionPerRoute.getDescriptor())
                  .add(CookieBasedSessionState.getDescriptor())
                  .add(RBAC.getDescriptor())
                  .add(RBACPerRoute.getDescriptor())
                  .add(FilterConfig.getDescriptor())
                  .add(RouteConfiguration.getDescriptor())
                  .add(ClusterConfig.getDescriptor())
                  .add(ClientSideWeightedRoundRobin.getDescriptor())
                  .add(LeastRequest.getDescriptor())
                  .add(PickFirst.getDescriptor())
                  .add(RingHash.getDescriptor())
                  .add(RoundRobin.getDescriptor())
                  .add(WrrLocality.getDescriptor())
                  .add(UpstreamTlsContext.getDescriptor())
                  .add(DownstreamTlsContext.getDescriptor())
                  .add(HttpProtocolOptions.getDescriptor())
                  .build());

  private Resources() {}

  /** A listener from JSON. */
  public static Listener listener(String json) {
    return read(json, Listener.newBuilder()).build();
  }

  /** A route configuration from JSON. */
  public static RouteConfiguration routeConfiguration(String json) {
    return read(json, RouteConfiguration.newBuilder()).build();
  }

  /** A cluster from JSON. */
  public static Cluster cluster(String json) {
    return read(json, Cluster.newBuilder()).build();
  }

  /** A load assignment from JSON. */
  public static ClusterLoadAssignment clusterLoadAssignment(String json) {
    return read(json, ClusterLoadAssignment.newBuilder()).build();
  }

  /** Reads JSON into any message; its {@code Any} fields may hold the usual extensions. */
  public static <B extends Message.Builder> B read(String json, B builder) {
    try {
      JSON.merge(json, builder);
      return builder;
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException(
          "json: "
              + e.getMessage()
              + " (expected: a "
              + builder.getDescriptorForType().getFullName()
              + ")",
          e);
    }
  }

  /** A listener as gRPC clients use it, which takes its routes from {@code routeName}. */
  public static Listener apiListener(String name, String routeName) {
    return listener(
        """
        {
          "name": "%s",
          "api_listener": {"api_listener": {
            "@type": "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
            "rds": {"route_config_name": "%s", "config_source": {"ads": {}}},
            "http_filters": [{
              "name": "router",
              "typed_config": {"@type": "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router"}
            }]
          }}
        }
        """
            .formatted(name, routeName));
  }

  /** Routes that send everything to {@code cluster}. */
  public static RouteConfiguration routesTo(String name, String cluster) {
    return routeConfiguration(
        """
        {
          "name": "%s",
          "virtual_hosts": [{
            "name": "all", "domains": ["*"],
            "routes": [{"match": {"prefix": ""}, "route": {"cluster": "%s"}}]
          }]
        }
        """
            .formatted(name, cluster));
  }

  /** A cluster whose endpoints come as the load assignment {@code serviceName}. */
  public static Cluster edsCluster(String name, String serviceName) {
    return cluster(
        """
        {
          "name": "%s", "type": "EDS", "lb_policy": "ROUND_ROBIN",
          "eds_cluster_config": {"service_name": "%s", "eds_config": {"ads": {}}}
        }
        """
            .formatted(name, serviceName));
  }

  /** A cluster whose endpoints come under its own name. */
  public static Cluster edsCluster(String name) {
    return edsCluster(name, name);
  }

  /** Endpoints on the loopback interface, all in one locality. */
  public static ClusterLoadAssignment endpoints(String name, int... ports) {
    StringBuilder endpoints = new StringBuilder();
    for (int port : ports) {
      endpoints
          .append(endpoints.isEmpty() ? "" : ", ")
          .append("{\"endpoint\": {\"address\": {\"socket_address\": ")
          .append("{\"address\": \"127.0.0.1\", \"port_value\": ")
          .append(port)
          .append("}}}}");
    }
    return clusterLoadAssignment(
        """
        {
          "cluster_name": "%s",
          "endpoints": [{
            "locality": {"region": "r", "zone": "z"}, "load_balancing_weight": 1,
            "lb_endpoints": [%s]
          }]
        }
        """
            .formatted(name, endpoints));
  }
}
