// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.envoy;

import static java.util.Objects.requireNonNull;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import dev.holdfast.server.options.ListenAddress;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What an Envoy is told when it starts: everything else comes from the control plane.
 *
 * @param node its id
 * @param cluster the group of nodes it belongs to
 * @param metadata what else it says of itself
 * @param admin where its admin port is, in YAML
 * @param sotw whether it speaks the state-of-the-world protocol; Delta if not
 * @param server where the control plane is
 * @param transportSocket how the connection to the control plane is secured, in YAML that is
 *     indented as the fields of a cluster are; empty without TLS
 * @param template what it has in common with other Envoys
 * @param token what it shows the control plane with each call, as {@link #TOKEN_HEADER}; empty for
 *     nothing
 */
public record EnvoyBootstrap(
    String node,
    String cluster,
    SortedMap<String, String> metadata,
    String admin,
    boolean sotw,
    ListenAddress server,
    String transportSocket,
    BootstrapTemplate template,
    String token) {
  /** The header of a call that has the token. */
  public static final String TOKEN_HEADER = "x-holdfast-token";

  private static final String RUNTIME =
      """
      # Envoy's default refuses regular expressions of more than about 100 characters.
      layered_runtime:
        layers:
        - name: limits
          static_layer: {re2.max_program_size.error_level: 1048576, re2.max_program_size.warn_level: 1000}
      """;

  private static final Gson JSON = new GsonBuilder().disableHtmlEscaping().create();

  public EnvoyBootstrap {
    requireNonNull(node, "node");
    requireNonNull(cluster, "cluster");
    requireNonNull(admin, "admin");
    requireNonNull(server, "server");
    requireNonNull(transportSocket, "transportSocket");
    requireNonNull(template, "template");
    requireNonNull(token, "token");
    metadata = Collections.unmodifiableSortedMap(new TreeMap<>(metadata));
  }

  /** One that speaks Delta without TLS, and has its admin port on loopback; 0 for a free one. */
  public static EnvoyBootstrap of(
      String node, String cluster, int adminPort, ListenAddress server) {
    return new EnvoyBootstrap(
        node,
        cluster,
        Collections.emptySortedMap(),
        "{socket_address: {address: 127.0.0.1, port_value: " + adminPort + "}}",
        /* sotw= */ false,
        server,
        /* transportSocket= */ "",
        BootstrapTemplate.NONE,
        /* token= */ "");
  }

  /** The same with the other protocol. */
  public EnvoyBootstrap withSotw(boolean wanted) {
    return new EnvoyBootstrap(
        node, cluster, metadata, admin, wanted, server, transportSocket, template, token);
  }

  /** The same with a connection that is secured as this YAML says. */
  public EnvoyBootstrap withTransportSocket(String yaml) {
    return new EnvoyBootstrap(node, cluster, metadata, admin, sotw, server, yaml, template, token);
  }

  /** The same with more to say of itself. */
  public EnvoyBootstrap withMetadata(Map<String, String> more) {
    SortedMap<String, String> all = new TreeMap<>(metadata);
    all.putAll(more);
    return new EnvoyBootstrap(
        node, cluster, all, admin, sotw, server, transportSocket, template, token);
  }

  /** The same with a socket that only the user of this process can open for its admin port. */
  EnvoyBootstrap withAdminSocket(Path socket) {
    return new EnvoyBootstrap(
        node,
        cluster,
        metadata,
        "{pipe: {path: " + quoted(socket.toString()) + ", mode: 384}}", // rw-------
        sotw,
        server,
        transportSocket,
        template,
        token);
  }

  /** The same with a token to show. */
  public EnvoyBootstrap withToken(String other) {
    return new EnvoyBootstrap(
        node, cluster, metadata, admin, sotw, server, transportSocket, template, other);
  }

  /** The same with what another Envoy has. */
  public EnvoyBootstrap withTemplate(BootstrapTemplate other) {
    return new EnvoyBootstrap(
        node, cluster, metadata, admin, sotw, server, transportSocket, other, token);
  }

  /** As Envoy reads it. */
  public String yaml() {
    boolean literal = isAddress(server.host());
    return """
    node:
      id: %s
      cluster: %s
    %sadmin:
      address: %s
    dynamic_resources:
      ads_config:
        api_type: %s
        transport_api_version: V3
        set_node_on_first_message_only: true
        grpc_services:
        - envoy_grpc:
            cluster_name: holdfast_xds
            retry_policy: {retry_back_off: {base_interval: 0.5s, max_interval: 5s}}
    %s  cds_config: {resource_api_version: V3, ads: {}}
      lds_config: {resource_api_version: V3, ads: {}}
    %sstatic_resources:
      clusters:
      - name: holdfast_xds
        type: %s
        connect_timeout: 1s
        typed_extension_protocol_options:
          envoy.extensions.upstreams.http.v3.HttpProtocolOptions:
            "@type": type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions
            explicit_http_config:
              http2_protocol_options: {connection_keepalive: {interval: 30s, timeout: 5s}}
        load_assignment:
          cluster_name: holdfast_xds
          endpoints:
          - lb_endpoints:
            - endpoint: {address: {socket_address: {address: %s, port_value: %d}}}
    """
            .formatted(
                quoted(node),
                quoted(cluster),
                metadataLine(),
                admin,
                sotw ? "GRPC" : "DELTA_GRPC",
                tokenLine(),
                shared(),
                literal ? "STATIC" : "STRICT_DNS",
                quoted(server.host()),
                server.port())
        + transportSocket;
  }

  /** What the template has, and a runtime in any case. */
  private String shared() {
    StringBuilder lines = new StringBuilder();
    template.fields().forEach((name, json) -> lines.append(name + ": " + json + "\n"));
    return template.fields().containsKey(BootstrapTemplate.RUNTIME)
        ? lines.toString()
        : lines + RUNTIME;
  }

  private String tokenLine() {
    return token.isEmpty()
        ? ""
        : "      initial_metadata: [{key: " + TOKEN_HEADER + ", value: " + quoted(token) + "}]\n";
  }

  private String metadataLine() {
    return metadata.isEmpty()
        ? ""
        : metadata.entrySet().stream()
            .map(entry -> quoted(entry.getKey()) + ": " + quoted(entry.getValue()))
            .collect(Collectors.joining(", ", "  metadata: {", "}\n"));
  }

  /** Whether a host is an address, not a name. */
  public static boolean isAddress(String host) {
    return host.matches("[0-9.]+|.*:.*");
  }

  /** A JSON string is a YAML string, whatever is in it. */
  public static String quoted(String text) {
    return JSON.toJson(text);
  }

  /** Never the token. */
  @Override
  public String toString() {
    return "bootstrap of " + node;
  }
}
