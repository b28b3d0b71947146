// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import com.google.protobuf.Any;
import dev.holdfast.testkit.Resources;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.endpoint.v3.LocalityLbEndpoints;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.extensions.filters.http.router.v3.Router;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import java.util.List;

/** Resources for the stage. */
final class Xds {
  private static final String FILTERS = "type.googleapis.com/envoy.extensions.filters";

  private Xds() {}

  /** Routes, as JSON, for all hosts; {@code r} is their name. */
  static RouteConfiguration routes(String... routes) {
    return host("", routes);
  }

  /** The same with more fields of the virtual host. */
  static RouteConfiguration host(String fields, String... routes) {
    return Resources.routeConfiguration(
        """
        {"name": "r", "virtual_hosts": [
          {"name": "all", "domains": ["*"], %s "routes": [%s]}]}
        """
            .formatted(fields, String.join(", ", routes)));
  }

  /** A route for everything to {@code c}, with more fields of its action. */
  static String route(String fields) {
    return "{\"match\": {\"prefix\": \"\"}, \"route\": {\"cluster\": \"c\"" + comma(fields) + "}}";
  }

  /** A cluster with endpoints of its own name, with more fields. */
  static Cluster cluster(String name, String fields) {
    return Resources.cluster(
        """
        {"name": "%s", "type": "EDS", "eds_cluster_config": {"eds_config": {"ads": {}}}%s}
        """
            .formatted(name, comma(fields)));
  }

  /** The same with calls that are shared by what servers report of their load (gRFC A58). */
  static Cluster weightedByLoad(String name, boolean outOfBand) {
    return cluster(
        name,
        """
            "load_balancing_policy": {"policies": [{"typed_extension_config": {
              "name": "localities", "typed_config": {"@type":
              "type.googleapis.com/envoy.extensions.load_balancing_policies.wrr_locality.v3.WrrLocality",
              "endpoint_picking_policy": {"policies": [{"typed_extension_config": {
                "name": "weighted", "typed_config": {"@type":
                "type.googleapis.com/envoy.extensions.load_balancing_policies.client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin",
                "enable_oob_load_report": %s, "oob_reporting_period": "0.1s",
                "blackout_period": "0.3s", "weight_update_period": "0.1s"}}}]}}}}]}
            """
            .formatted(outOfBand));
  }

  /** Endpoints with hash keys, in order (gRFC A76). */
  static ClusterLoadAssignment withHashKeys(ClusterLoadAssignment endpoints, String... keys) {
    ClusterLoadAssignment.Builder keyed = endpoints.toBuilder();
    for (int i = 0; i < keys.length; i++) {
      Resources.read(
          "{\"metadata\": {\"filter_metadata\": {\"envoy.lb\": {\"hash_key\": \"%s\"}}}}"
              .formatted(keys[i]),
          keyed.getEndpointsBuilder(0).getLbEndpointsBuilder(i));
    }
    return keyed.build();
  }

  static Cluster aggregate(String name, String... members) {
    return Resources.cluster(
        """
        {"name": "%s", "lb_policy": "CLUSTER_PROVIDED",
         "cluster_type": {"name": "envoy.clusters.aggregate", "typed_config": {
           "@type": "type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig",
           "clusters": ["%s"]}}}
        """
            .formatted(name, String.join("\", \"", members)));
  }

  static LocalityLbEndpoints locality(String zone, int priority, int weight, Backend... backends) {
    LocalityLbEndpoints.Builder locality =
        Resources.endpoints("any", Stage.ports(backends)).getEndpoints(0).toBuilder();
    locality.getLocalityBuilder().setZone(zone);
    locality.getLoadBalancingWeightBuilder().setValue(weight);
    return locality.setPriority(priority).build();
  }

  static ClusterLoadAssignment endpoints(String name, LocalityLbEndpoints... localities) {
    return ClusterLoadAssignment.newBuilder()
        .setClusterName(name)
        .addAllEndpoints(List.of(localities))
        .build();
  }

  /** The listener of the stage with a filter that nobody knows. */
  static Listener listenerWithUnknownFilter(boolean optional) {
    Listener.Builder listener = Listener.newBuilder().setName("svc");
    HttpConnectionManager.Builder manager = HttpConnectionManager.newBuilder();
    manager.getRdsBuilder().setRouteConfigName("r").getConfigSourceBuilder().getAdsBuilder();
    manager
        .addHttpFiltersBuilder()
        .setName("unknown")
        .setIsOptional(optional)
        .setTypedConfig(Any.newBuilder().setTypeUrl("type.googleapis.com/acme.Unknown"));
    manager
        .addHttpFiltersBuilder()
        .setName("router")
        .setTypedConfig(Any.pack(Router.getDefaultInstance()));
    listener.getApiListenerBuilder().setApiListener(Any.pack(manager.build()));
    return listener.build();
  }

  /** The listener of the stage with these filters, as JSON, before the router. */
  static Listener listener(String... filters) {
    Listener.Builder listener = Listener.newBuilder();
    Resources.read(
        """
        {"name": "svc", "api_listener": {"api_listener": {
          "@type": "%s.network.http_connection_manager.v3.HttpConnectionManager",
          "rds": {"route_config_name": "r", "config_source": {"ads": {}}},
          "http_filters": [%s%s
            {"name": "router", "typed_config": {"@type": "%s.http.router.v3.Router"}}]}}}
        """
            .formatted(
                FILTERS, String.join(", ", filters), filters.length == 0 ? "" : ", ", FILTERS),
        listener);
    return listener.build();
  }

  /** A filter named {@code fault}, as JSON, with the fields of its configuration. */
  static String fault(String config) {
    return "{\"name\": \"fault\", \"typed_config\": " + faultConfig(config) + "}";
  }

  /** The configuration of a fault filter, for a listener or as an override. */
  static String faultConfig(String config) {
    return "{\"@type\": \"" + FILTERS + ".http.fault.v3.HTTPFault\"" + comma(config) + "}";
  }

  /** The field with an override for the filter {@code fault}. */
  static String faultOverride(String value) {
    return "\"typed_per_filter_config\": {\"fault\": " + value + "}";
  }

  private static String comma(String fields) {
    return fields.isEmpty() ? "" : ", " + fields;
  }
}
