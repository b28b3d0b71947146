// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.bootstrap;

import static java.util.Objects.requireNonNull;

import dev.holdfast.grpc.libraries.LibraryCheck;
import dev.holdfast.xds.client.AuthorityConfig;
import dev.holdfast.xds.client.Behaviour;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.XdsClientConfig;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.envoyproxy.envoy.config.core.v3.Node;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A bootstrap: who we are, whom to ask, and what else the data plane has to know.
 *
 * @param node who this process is; what gRPC fills in by itself is already filled in
 * @param servers who answers for names without authority, in order of preference; not empty
 * @param authorities who answers for {@code xdstp://authority/...} (gRFC A47)
 * @param clientDefaultListenerResourceNameTemplate which listener a channel without authority
 *     watches, {@code %s} being its target
 * @param serverListenerResourceNameTemplate which listener a server watches, {@code %s} being its
 *     address; null if servers cannot be configured
 * @param certificateProviders where certificates of the data plane come from (gRFC A29)
 */
public record XdsBootstrap(
    Node node,
    List<ServerConfig> servers,
    SortedMap<String, Authority> authorities,
    String clientDefaultListenerResourceNameTemplate,
    @Nullable String serverListenerResourceNameTemplate,
    SortedMap<String, CertificateProvider> certificateProviders) {

  static final String DEFAULT_TEMPLATE = "%s";

  public XdsBootstrap {
    node = NodeIdentity.complete(node);
    servers = List.copyOf(servers);
    authorities = Collections.unmodifiableSortedMap(new TreeMap<>(authorities));
    requireNonNull(
        clientDefaultListenerResourceNameTemplate, "clientDefaultListenerResourceNameTemplate");
    certificateProviders = Collections.unmodifiableSortedMap(new TreeMap<>(certificateProviders));
  }

  /**
   * The bootstrap that the environment names: the file in {@code GRPC_XDS_BOOTSTRAP}, else the JSON
   * in {@code GRPC_XDS_BOOTSTRAP_CONFIG}.
   */
  public static XdsBootstrap fromEnvironment() {
    return fromEnvironment(System.getenv());
  }

  /** The same for an environment of the caller's making. */
  public static XdsBootstrap fromEnvironment(Map<String, String> environment) {
    LibraryCheck.require();
    return BootstrapSource.fromEnvironment(environment);
  }

  /** Reads a bootstrap file. */
  public static XdsBootstrap fromFile(Path file) {
    LibraryCheck.require();
    return BootstrapSource.fromFile(file);
  }

  /**
   * Reads a bootstrap.
   *
   * @param source where it comes from, for error texts
   */
  public static XdsBootstrap fromJson(String json, String source) {
    LibraryCheck.require();
    return BootstrapSource.fromJson(json, source);
  }

  /** A bootstrap written in code. */
  public static XdsBootstrapBuilder builder() {
    LibraryCheck.require();
    return new XdsBootstrapBuilder();
  }

  /** Which listener a channel with this authority watches; null for an unknown authority. */
  public @Nullable String clientListenerResourceNameTemplate(String authority) {
    Authority known = authorities.get(authority);
    if (known == null) {
      return null;
    }
    return known.clientListenerResourceNameTemplate() == null
        ? Authority.prefixOf(authority) + "envoy.config.listener.v3.Listener/%s"
        : known.clientListenerResourceNameTemplate();
  }

  /** The part that the xDS client needs. */
  public XdsClientConfig toClientConfig(AdsProtocol protocol, Behaviour behaviour) {
    SortedMap<String, AuthorityConfig> configs = new TreeMap<>();
    authorities.forEach(
        (name, authority) ->
            configs.put(
                name,
                new AuthorityConfig(authority.servers(), authority.fallbackOnReachabilityOnly())));
    return XdsClientConfig.builder()
        .node(node)
        .servers(servers)
        .authorities(configs)
        .protocol(protocol)
        .behaviour(behaviour)
        .build();
  }

  /**
   * Who answers for the names of one authority.
   *
   * @param servers in order of preference; empty to use the bootstrap's own list
   * @param fallbackOnReachabilityOnly see {@link AuthorityConfig}
   * @param clientListenerResourceNameTemplate which listener a channel with this authority watches;
   *     null for the usual one
   */
  public record Authority(
      List<ServerConfig> servers,
      boolean fallbackOnReachabilityOnly,
      @Nullable String clientListenerResourceNameTemplate) {
    public Authority {
      servers = List.copyOf(servers);
    }

    /** An authority with servers of its own and nothing special. */
    public static Authority of(ServerConfig... servers) {
      return new Authority(List.of(servers), /* fallbackOnReachabilityOnly= */ false, null);
    }

    static String prefixOf(String name) {
      return "xdstp://" + name + "/";
    }
  }

  /**
   * A source of certificates.
   *
   * @param pluginName what kind of source
   * @param config the plugin's own settings, as parsed from JSON
   */
  public record CertificateProvider(String pluginName, Map<String, ?> config) {
    public CertificateProvider {
      requireNonNull(pluginName, "pluginName");
      config = Map.copyOf(config);
    }
  }
}
