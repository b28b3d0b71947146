// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.UnknownFieldSet;
import dev.holdfast.testkit.Resources;
import dev.holdfast.testkit.TestCa;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.DataSource;
import io.envoyproxy.envoy.config.core.v3.TypedExtensionConfig;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The smallest resources that an Envoy serves traffic with; everything nested comes by ADS. */
public final class EnvoyResources {
  /** Short, so that tests of what happens without an answer need not wait. */
  private static final String ADS =
      "{\"resource_api_version\": \"V3\", \"ads\": {}, \"initial_fetch_timeout\": \"%s\"}";

  private static final String NESTED = ADS.formatted("2s");
  private static final String IMPATIENT = ADS.formatted("0.3s");
  private static final String EXTENSIONS = "type.googleapis.com/envoy.extensions.";
  private static final String LUA = "envoy.filters.http.lua";

  private EnvoyResources() {}

  /** A listener for HTTP on a port of the system's choosing, with routes by name. */
  public static Listener listener(String name, String routes) {
    return Resources.listener(listener(name, routes, "", ""));
  }

  /** The same, for tests in which the routes do not come: it waits less than a second for them. */
  public static Listener impatientListener(String name, String routes) {
    return Resources.listener(listener(name, routes, "", "").replace(NESTED, IMPATIENT));
  }

  /** The same with TLS, showing a secret by name. */
  public static Listener tlsListener(String name, String routes, String secret) {
    return Resources.listener(
        listener(
            name,
            routes,
            "",
            """
            , "transport_socket": {"name": "tls", "typed_config": {
              "@type": "%stransport_sockets.tls.v3.DownstreamTlsContext",
              "common_tls_context": {
                "tls_certificate_sds_secret_configs": [{"name": "%s", "sds_config": %s}]}}}
            """
                .formatted(EXTENSIONS, secret, NESTED)));
  }

  /** The same with a Lua filter whose configuration comes by name (ECDS). */
  public static Listener filteredListener(String name, String routes, String filter) {
    return Resources.listener(
        listener(
            name,
            routes,
            """
            {"name": "%s", "config_discovery": {
              "config_source": %s,
              "type_urls": ["%sfilters.http.lua.v3.Lua"]}},
            """
                .formatted(filter, NESTED, EXTENSIONS),
            ""));
  }

  private static String listener(String name, String routes, String filters, String tls) {
    return """
        {
          "name": "%1$s",
          "address": {"socket_address": {"address": "127.0.0.1", "port_value": 0}},
          "filter_chains": [{"filters": [{
            "name": "http",
            "typed_config": {
              "@type": "%5$sfilters.network.http_connection_manager.v3.HttpConnectionManager",
              "stat_prefix": "%1$s",
              "rds": {"route_config_name": "%2$s", "config_source": %6$s},
              "http_filters": [%3$s {
                "name": "router",
                "typed_config": {"@type": "%5$sfilters.http.router.v3.Router"}}]
            }}]%4$s}]
        }
        """
        .formatted(name, routes, filters, tls, EXTENSIONS, NESTED);
  }

  /** Routes of some virtual hosts, see {@link #host}. */
  public static RouteConfiguration routes(String name, String... hosts) {
    return Resources.routeConfiguration(
        "{\"name\": \"%s\", \"virtual_hosts\": [%s]}".formatted(name, String.join(", ", hosts)));
  }

  /** Routes whose virtual hosts come one by one (VHDS), besides those that are given. */
  public static RouteConfiguration routesByHost(String name, String... hosts) {
    return Resources.routeConfiguration(
        "{\"name\": \"%s\", \"vhds\": {\"config_source\": %s}, \"virtual_hosts\": [%s]}"
            .formatted(name, NESTED, String.join(", ", hosts)));
  }

  /** A virtual host of such routes that sends all requests for a domain to a cluster. */
  public static VirtualHost hostOf(String routes, String domain, String cluster) {
    return routes(routes, host(domain, cluster)).getVirtualHosts(0).toBuilder()
        .setName(routes + "/" + domain)
        .build();
  }

  /** A virtual host, as JSON, that sends all requests for a domain to a cluster. */
  public static String host(String domain, String cluster) {
    return """
        {"name": "%1$s", "domains": ["%1$s"], "routes": [
          {"match": {"prefix": "/"}, "route": {"cluster": "%2$s"}}]}
        """
        .formatted(domain, cluster);
  }

  /** The same for paths that match a regular expression. */
  public static String regexHost(String domain, String regex, String cluster) {
    return """
        {"name": "%1$s", "domains": ["%1$s"], "routes": [
          {"match": {"safe_regex": {"regex": "%2$s"}}, "route": {"cluster": "%3$s"}}]}
        """
        .formatted(domain, regex, cluster);
  }

  /** Routes with a script on their first virtual host. */
  public static RouteConfiguration withLua(RouteConfiguration routes, String script) {
    RouteConfiguration.Builder scripted = routes.toBuilder();
    scripted.getVirtualHostsBuilder(0).putTypedPerFilterConfig(LUA, luaPerRoute(script));
    return scripted.build();
  }

  /** {@code LuaPerRoute} with an inline script, which our messages do not include. */
  public static Any luaPerRoute(String script) {
    return any(EXTENSIONS + "filters.http.lua.v3.LuaPerRoute", field(3, inline(script)));
  }

  /** A filter's configuration for ECDS: a Lua script for all requests. */
  public static TypedExtensionConfig luaFilter(String name, String script) {
    return TypedExtensionConfig.newBuilder()
        .setName(name)
        .setTypedConfig(any(EXTENSIONS + "filters.http.lua.v3.Lua", field(3, inline(script))))
        .build();
  }

  private static ByteString inline(String text) {
    return DataSource.newBuilder().setInlineString(text).build().toByteString();
  }

  private static ByteString field(int number, ByteString message) {
    return UnknownFieldSet.newBuilder()
        .addField(number, UnknownFieldSet.Field.newBuilder().addLengthDelimited(message).build())
        .build()
        .toByteString();
  }

  private static Any any(String typeUrl, ByteString value) {
    return Any.newBuilder().setTypeUrl(typeUrl).setValue(value).build();
  }

  /** A cluster with endpoints of its own on loopback; in force as soon as it is read. */
  public static Cluster staticCluster(String name, int... ports) {
    return Resources.cluster(
        """
        {"name": "%1$s", "type": "STATIC", "connect_timeout": "5s",
         "load_assignment": {"cluster_name": "%1$s", "endpoints": [{"lb_endpoints": [%2$s]}]}}
        """
            .formatted(
                name,
                Arrays.stream(ports)
                    .mapToObj(port -> endpoint("127.0.0.1", port))
                    .collect(Collectors.joining(", "))));
  }

  /** An endpoint as JSON. */
  public static String endpoint(String address, int port) {
    return """
        {"endpoint": {"address": {"socket_address": {"address": "%s", "port_value": %d}}}}
        """
        .formatted(address, port)
        .strip();
  }

  /** A cluster whose endpoints come under its own name. */
  public static Cluster edsCluster(String name) {
    return edsCluster(name, "1s");
  }

  /**
   * The same, for tests in which the endpoints do not come: it waits less than a second for them.
   */
  public static Cluster impatientCluster(String name) {
    Cluster.Builder cluster = edsCluster(name).toBuilder();
    cluster
        .getEdsClusterConfigBuilder()
        .getEdsConfigBuilder()
        .setInitialFetchTimeout(Duration.newBuilder().setNanos(300_000_000));
    return cluster.build();
  }

  /** The same with a setting that can be changed. */
  public static Cluster edsCluster(String name, String connectTimeout) {
    return Resources.cluster(
        """
        {"name": "%s", "type": "EDS", "connect_timeout": "%s",
         "eds_cluster_config": {"eds_config": %s}}
        """
            .formatted(name, connectTimeout, NESTED));
  }

  /** A certificate with its key. */
  public static Secret secret(String name, TestCa.Identity identity) {
    return secret(name, identity.certificatePem(), identity.privateKeyPem());
  }

  /** A certificate with its key, or what is sent as such. */
  public static Secret secret(String name, String certificate, String key) {
    Secret.Builder secret = Secret.newBuilder().setName(name);
    secret.getTlsCertificateBuilder().getCertificateChainBuilder().setInlineString(certificate);
    secret.getTlsCertificateBuilder().getPrivateKeyBuilder().setInlineString(key);
    return secret.build();
  }
}
