// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.fuzz;

import java.util.LinkedHashMap;
import java.util.Map;

/** The seeds as text: between them they reach every decoder. */
final class SeedTexts {
  private static final String LB = "TYPE/envoy.extensions.load_balancing_policies.";
  private static final String TLS = "TYPE/envoy.extensions.transport_sockets.tls.v3.";
  private static final String ROUTER = "TYPE/envoy.extensions.filters.http.router.v3.Router";
  private static final String MANAGER =
      "[TYPE/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager]";

  private static final String FAULT =
      "[TYPE/envoy.extensions.filters.http.fault.v3.HTTPFault] { delay { fixed_delay { seconds: 1 }"
          + " percentage { numerator: 5 denominator: MILLION } } abort { http_status: 503 percentage"
          + " { numerator: 5 } } max_active_faults { value: 3 } }";
  private static final String SESSION =
      "TYPE/envoy.extensions.filters.http.stateful_session.v3.StatefulSession";
  private static final String STATE =
      "session_state { typed_config {"
          + " [TYPE/envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState] {"
          + " cookie { name: 'c' path: '/p' ttl { seconds: 1 } } } } }";

  static final Map<String, String> ROUTES = new LinkedHashMap<>();
  static final Map<String, String> LISTENERS = new LinkedHashMap<>();
  static final Map<String, String> CLUSTERS = new LinkedHashMap<>();
  static final Map<String, String> ENDPOINTS = new LinkedHashMap<>();
  static final Map<String, String> RETRIES = new LinkedHashMap<>();

  static {
    RETRIES.put(
        "all",
        "retry_on: 'cancelled,unavailable , 5xx' num_retries { value: 3 } retry_back_off {"
            + " base_interval { nanos: 200000 } max_interval { seconds: 1 } }");
    RETRIES.put("zero", "retry_on: 'internal' num_retries {}");
    RETRIES.put("most", "retry_on: 'internal' num_retries { value: 4294967295 }");
    RETRIES.put(
        "bad-backoff",
        "retry_back_off { base_interval { seconds: 2 } max_interval { seconds: 1 nanos: -1 } }");
    RETRIES.put(
        "long",
        "retry_on: 'internal' retry_back_off { base_interval { seconds: 315576000000 nanos:"
            + " 999999999 } }");

    ROUTES.put(
        "all",
        """
        name: 'r'
        virtual_hosts {
          name: 'h' domains: ['a.example', '*']
          retry_policy { retry_on: 'internal' num_retries { value: 2 } }
          routes {
            match { safe_regex { regex: '/a{1,5}.*' } case_sensitive {}
              headers { name: 'x' string_match { contains: 'q' ignore_case: true } invert_match: true }
              headers { name: 'y' range_match { start: 1 end: 9 } }
              runtime_fraction { default_value { numerator: 5 denominator: TEN_THOUSAND } } }
            route {
              weighted_clusters { clusters { name: 'c' weight { value: 1 } } }
              max_stream_duration { grpc_timeout_header_max { seconds: 3 } }
              hash_policy { header { header_name: 'h' regex_rewrite {
                pattern { regex: '(a)(b)' } substitution: '\\\\1' } } terminal: true }
              hash_policy { filter_state { key: 'io.grpc.channel_id' } }
              auto_host_rewrite { value: true } } }
          routes { match { path: '/a/b' } non_forwarding_action {} }
          routes { match { prefix: '' query_parameters { name: 'q' } } }
          routes { match { prefix: '' } route { cluster_specifier_plugin: 'p' } } }
        cluster_specifier_plugins { is_optional: true extension { name: 'p' } }
        """);
    ROUTES.put(
        "overrides",
        "name: 'r' virtual_hosts { domains: 'a' typed_per_filter_config { key: 'f' value {"
            + " [TYPE/envoy.config.route.v3.FilterConfig] { is_optional: true config {"
            + " [TYPE/xds.type.v3.TypedStruct] { type_url: 'x/acme.Filter' } } } } } }");
    ROUTES.put(
        "broken",
        "virtual_hosts { domains: ['*', '*', 'a*b'] routes {} routes { match { safe_regex {"
            + " regex: '(' } } redirect {} } }");
    ROUTES.put(
        "huge-regex",
        "name: 'r' virtual_hosts { domains: '*' routes { match { safe_regex { regex:"
            + " '((x{1000}){1000}){1000}' } } route { cluster: 'c' } } }");
    ROUTES.put(
        "deep-regex",
        "name: 'r' virtual_hosts { domains: '*' routes { match { safe_regex { regex: '"
            + "(".repeat(4000)
            + "' } } route { cluster: 'c' } } }");

    ROUTES.put(
        "overrides",
        "name: 'r' virtual_hosts { domains: '*' typed_per_filter_config { key: 'f' value {"
            + FAULT
            + "} } routes { match { prefix: '' } typed_per_filter_config { key: 's' value { ["
            + SESSION
            + "PerRoute] { stateful_session {"
            + STATE
            + "} } } } route { weighted_clusters { clusters { name: 'c' weight { value: 1 }"
            + " typed_per_filter_config { key: 'f' value {"
            + " [TYPE/envoy.config.route.v3.FilterConfig] { config {"
            + " [TYPE/envoy.extensions.filters.http.rbac.v3.RBACPerRoute] {} } } } } } } } } }");

    String filters =
        "http_filters { name: 'f' is_optional: true typed_config { type_url: 'TYPE/acme.X' } }"
            + " http_filters { name: 'r' typed_config { ["
            + ROUTER
            + "] {} } } ";
    String manager =
        MANAGER
            + "{ rds { route_config_name: 'r' config_source { ads {} } } "
            + filters
            + "common_http_protocol_options { max_stream_duration { seconds: 5 } } }";
    LISTENERS.put("api", "name: 'l' api_listener { api_listener {" + manager + "} }");
    LISTENERS.put(
        "inline",
        "name: 'l' api_listener { api_listener {"
            + MANAGER
            + "{ route_config { virtual_hosts { domains: '*' routes { match { prefix: '' } route {"
            + " cluster: 'c' } } } } "
            + filters
            + "} } }");
    LISTENERS.put(
        "filters",
        "name: 'l' api_listener { api_listener {"
            + MANAGER
            + "{ rds { route_config_name: 'r' config_source { ads {} } } http_filters { name: 'f'"
            + " disabled: true typed_config {"
            + FAULT
            + "} } http_filters { name: 's' typed_config { ["
            + SESSION
            + "] {"
            + STATE
            + "} } } "
            + filters.replace("name: 'f'", "name: 'g'")
            + "} } }");
    LISTENERS.put(
        "socket",
        """
        name: 'l' address { socket_address { address: '::' port_value: 80 } }
        filter_chains {
          filter_chain_match {
            destination_port { value: 1 } prefix_ranges { address_prefix: '10.0.0.0' prefix_len { value: 8 } }
            source_type: EXTERNAL source_prefix_ranges { address_prefix: '::1' } source_ports: [1, 2]
            server_names: 's' transport_protocol: 'raw_buffer' application_protocols: 'h2' }
          filters { name: 'hcm' typed_config { %s } }
          transport_socket { name: 'envoy.transport_sockets.tls' typed_config {
            [%sDownstreamTlsContext] {
              require_client_certificate { value: true }
              common_tls_context {
                tls_certificate_provider_instance { instance_name: 'id' }
                validation_context { ca_certificate_provider_instance { instance_name: 'ca' } } } } } } }
        default_filter_chain { filters { name: 'hcm' typed_config { %s } } }
        """
            .formatted(manager, TLS, manager));
    LISTENERS.put(
        "broken",
        "address { socket_address {} } listener_filters {} use_original_dst { value: true }"
            + " filter_chains {} filter_chains {} default_filter_chain {}");
    LISTENERS.put("combinations", combinations());

    CLUSTERS.put(
        "eds",
        """
        name: 'c' type: EDS eds_cluster_config { eds_config { ads {} } service_name: 's' }
        lrs_server { self {} } circuit_breakers { thresholds { max_requests { value: 9 } } }
        outlier_detection { interval { seconds: 1 } enforcing_failure_percentage { value: 5 } }
        transport_socket { name: 'envoy.transport_sockets.tls' typed_config {
          [%sUpstreamTlsContext] { sni: 's' common_tls_context {
            tls_certificate_provider_instance { instance_name: 'id' }
            combined_validation_context { default_validation_context {
              ca_certificate_provider_instance { instance_name: 'ca' }
              match_subject_alt_names { safe_regex { regex: 'a+' } } } } } } } }
        """
            .formatted(TLS));
    CLUSTERS.put(
        "sessions",
        "name: 'c' type: EDS eds_cluster_config { eds_config { ads {} } } common_lb_config {"
            + " override_host_status { statuses: [HEALTHY, DRAINING, TIMEOUT] } } upstream_config {"
            + " typed_config { [TYPE/envoy.extensions.upstreams.http.v3.HttpProtocolOptions] {"
            + " common_http_protocol_options { idle_timeout { seconds: 5 } } } } }");
    CLUSTERS.put(
        "dns",
        "name: 'c' type: LOGICAL_DNS load_assignment { endpoints { lb_endpoints { endpoint {"
            + " address { socket_address { address: 'h' port_value: 1 } } } } } }");
    CLUSTERS.put(
        "aggregate",
        "name: 'c' cluster_type { typed_config {"
            + " [TYPE/envoy.extensions.clusters.aggregate.v3.ClusterConfig] { clusters: ['a', 'b']"
            + " } } }");
    CLUSTERS.put("legacy-ring", "name: 'c' lb_policy: RING_HASH ring_hash_lb_config {}");
    CLUSTERS.put("legacy-least", "name: 'c' lb_policy: LEAST_REQUEST least_request_lb_config {}");
    CLUSTERS.put(
        "policies",
        policies(
            "["
                + LB
                + "wrr_locality.v3.WrrLocality] { endpoint_picking_policy { "
                + policy(
                    "["
                        + LB
                        + "client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin] {"
                        + " blackout_period { seconds: 1 } error_utilization_penalty { value: 2 } }")
                + "} }"));
    CLUSTERS.put(
        "ring", policies("[" + LB + "ring_hash.v3.RingHash] { minimum_ring_size { value: 2 } }"));
    CLUSTERS.put(
        "least", policies("[" + LB + "least_request.v3.LeastRequest] { choice_count {} }"));
    CLUSTERS.put("first", policies("[" + LB + "pick_first.v3.PickFirst] {}"));
    CLUSTERS.put(
        "custom", policies("[TYPE/xds.type.v3.TypedStruct] { type_url: 'x/acme.Lb' value {} }"));
    String nested = "[" + LB + "round_robin.v3.RoundRobin] {}";
    for (int i = 0; i < 18; i++) {
      nested =
          "["
              + LB
              + "wrr_locality.v3.WrrLocality] { endpoint_picking_policy { "
              + policy(nested)
              + "} }";
    }
    CLUSTERS.put("deep-policies", policies(nested));

    ENDPOINTS.put(
        "all",
        """
        cluster_name: 'e'
        endpoints { locality { region: 'r' zone: 'z' } load_balancing_weight { value: 3 }
          lb_endpoints { load_balancing_weight { value: 2 } endpoint { hostname: 'h'
            address { socket_address { address: '10.0.0.1' port_value: 80 } }
            additional_addresses { address { socket_address { address: '::1' port_value: 80 } } } } }
          lb_endpoints { health_status: DRAINING endpoint {
            address { socket_address { address: '10.0.0.2' port_value: 80 } } } } }
        endpoints { priority: 1 load_balancing_weight { value: 1 } }
        policy { drop_overloads { category: 'd' drop_percentage { numerator: 5 } } }
        """);
    ENDPOINTS.put(
        "broken",
        """
        endpoints { priority: 4294967295 load_balancing_weight { value: 4294967295 } lb_endpoints {} }
        endpoints { priority: 4294967295 load_balancing_weight { value: 1 } lb_endpoints {
          endpoint { address { socket_address { address: '1:2::10.0.0.1' named_port: 'x' } } } } }
        policy { drop_overloads { drop_percentage { denominator: 7 } } }
        """);
    ENDPOINTS.put(
        "many",
        "cluster_name: 'e' endpoints { load_balancing_weight { value: 1 } "
            + "lb_endpoints {} ".repeat(3000)
            + "}");
  }

  private SeedTexts() {}

  private static String policies(String any) {
    return "name: 'c' type: EDS eds_cluster_config { eds_config { self {} } }"
        + " load_balancing_policy { "
        + policy(any)
        + "}";
  }

  private static String policy(String any) {
    return "policies { typed_extension_config { name: 'p' typed_config { " + any + " } } } ";
  }

  private static String combinations() {
    StringBuilder match = new StringBuilder();
    for (int i = 0; i < 400; i++) {
      match.append("source_ports: ").append(i).append(" server_names: '").append(i).append("' ");
    }
    return "name: 'l' address { socket_address { address: '::' port_value: 1 } } filter_chains {"
        + " filter_chain_match {"
        + match
        + "} }";
  }
}
