// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.envoy;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A bootstrap for tests: everything by ADS from a plaintext server on loopback, quick retries, an
 * admin port of the system's choosing.
 *
 * @param adsPort where the xDS server listens
 * @param delta whether the incremental protocol is spoken
 * @param nodeId who Envoy says it is
 * @param group of which class it says it is
 * @param runtime runtime values, such as the largest regular expression that is accepted
 * @param staticClusters more clusters, each a JSON object
 * @param minimumClusters updates that leave fewer clusters are refused; 0 for no such validator
 */
public record EnvoyBootstrap(
    int adsPort,
    boolean delta,
    String nodeId,
    String group,
    Map<String, String> runtime,
    String staticClusters,
    int minimumClusters) {

  public static EnvoyBootstrap sotw(int adsPort) {
    return new EnvoyBootstrap(adsPort, false, "hf-node-1", "a", Map.of(), "", 0);
  }

  public static EnvoyBootstrap delta(int adsPort) {
    return new EnvoyBootstrap(adsPort, true, "hf-node-1", "a", Map.of(), "", 0);
  }

  public EnvoyBootstrap node(String id) {
    return new EnvoyBootstrap(adsPort, delta, id, group, runtime, staticClusters, minimumClusters);
  }

  /** One of another class than those of other groups. */
  public EnvoyBootstrap group(String name) {
    return new EnvoyBootstrap(
        adsPort, delta, nodeId, name, runtime, staticClusters, minimumClusters);
  }

  /** One that tries every change first, and serves nobody. */
  public EnvoyBootstrap scout() {
    return group(group + ", holdfast_role: scout"); // the next entry of its metadata
  }

  public EnvoyBootstrap runtime(String key, Object value) {
    Map<String, String> more = new TreeMap<>(runtime);
    more.put(key, value.toString());
    return new EnvoyBootstrap(adsPort, delta, nodeId, group, more, staticClusters, minimumClusters);
  }

  /** Adds a cluster that is there from the start; JSON. */
  public EnvoyBootstrap staticCluster(String json) {
    return new EnvoyBootstrap(
        adsPort, delta, nodeId, group, runtime, staticClusters + ", " + json, minimumClusters);
  }

  /** Refuses an update that leaves fewer clusters than this. */
  public EnvoyBootstrap minimumClusters(int number) {
    return new EnvoyBootstrap(adsPort, delta, nodeId, group, runtime, staticClusters, number);
  }

  private String validators() {
    return minimumClusters == 0
        ? "[]"
        : """
        [{name: envoy.config.validators.minimum_clusters_validator, typed_config: {
          "@type": type.googleapis.com/envoy.extensions.config.validators.minimum_clusters.v3.MinimumClustersValidator,
          min_clusters_num: %d}}]"""
            .formatted(minimumClusters)
            .replace("\n", " ");
  }

  /** As Envoy reads it. */
  public String yaml() {
    return """
        node: {id: %s, cluster: hf-test, metadata: {holdfast_group: %s}}
        admin: {address: {socket_address: {address: 127.0.0.1, port_value: 0}}}
        dynamic_resources:
          ads_config:
            api_type: %s
            transport_api_version: V3
            set_node_on_first_message_only: true
            config_validators: %s
            grpc_services:
            - envoy_grpc:
                cluster_name: xds_cluster
                retry_policy: {retry_back_off: {base_interval: 0.05s, max_interval: 0.2s}}
          cds_config: {resource_api_version: V3, ads: {}, initial_fetch_timeout: 5s}
          lds_config: {resource_api_version: V3, ads: {}, initial_fetch_timeout: 5s}
        static_resources:
          clusters: [{
            name: xds_cluster, type: STATIC, connect_timeout: 1s,
            typed_extension_protocol_options: {
              envoy.extensions.upstreams.http.v3.HttpProtocolOptions: {
                "@type": type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions,
                explicit_http_config: {http2_protocol_options: {
                  connection_keepalive: {interval: 30s, timeout: 5s}}}}},
            load_assignment: {cluster_name: xds_cluster, endpoints: [{lb_endpoints: [{endpoint: {
              address: {socket_address: {address: 127.0.0.1, port_value: %d}}}}]}]}}%s]
        layered_runtime: {layers: [{name: static, static_layer: {%s}}]}
        """
        .formatted(
            nodeId,
            group,
            delta ? "DELTA_GRPC" : "GRPC",
            validators(),
            adsPort,
            staticClusters,
            new TreeMap<>(runtime)
                .entrySet().stream()
                    .map(entry -> "\"" + entry.getKey() + "\": " + entry.getValue())
                    .collect(Collectors.joining(", ")));
  }
}
