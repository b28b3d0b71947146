// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.listener;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.translate.proto.ConfigSources;
import dev.holdfast.controlplane.translate.proto.Text;
import io.envoyproxy.envoy.config.core.v3.ConfigSource;
import io.envoyproxy.envoy.config.listener.v3.Filter;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit;
import io.envoyproxy.envoy.extensions.filters.http.rbac.v3.RBAC;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The listener for plain HTTP. */
class HttpListenerTest {
  private static final ConfigSource ADS = ConfigSources.ads(Duration.ofSeconds(5));
  private static final HttpOptions OPTIONS =
      new HttpOptions(ADS, Duration.ofMinutes(5), HttpOptions.AccessLog.NONE, EdgeOptions.DEFAULT);

  private static HttpConnectionManager manager(List<HttpFilter> extensions, HttpOptions options) {
    return HttpManagers.of("ingress_http", "ingress_http", extensions, options);
  }

  @Test
  void connectionManagerIsConfiguredForTheEdge() {
    HttpConnectionManager manager = manager(List.of(), OPTIONS);

    assertThat(Text.of(manager.toBuilder().clearHttpFilters()))
        .isEqualTo(
            "stat_prefix: \"ingress_http\" rds { config_source { ads { } initial_fetch_timeout {"
                + " seconds: 5 } resource_api_version: V3 } route_config_name: \"ingress_http\" }"
                + " http_protocol_options { accept_http_10: true } use_remote_address { value:"
                + " true } stream_idle_timeout { seconds: 300 } normalize_path { value: true }"
                + " merge_slashes: true strip_any_host_port: true");
  }

  @Test
  void ownFiltersDoNothingByDefault() {
    List<HttpFilter> filters = manager(List.of(), OPTIONS).getHttpFiltersList();

    assertThat(filters)
        .extracting(HttpFilter::getName)
        .containsExactly(
            "envoy.filters.http.compressor",
            "envoy.filters.http.grpc_web",
            "envoy.filters.http.cors",
            "envoy.filters.http.local_ratelimit",
            "holdfast.cookies",
            "envoy.filters.http.rbac",
            "envoy.filters.http.router");
    assertThat(Text.unpack(filters.get(3).getTypedConfig(), LocalRateLimit.class).hasTokenBucket())
        .isFalse();
    assertThat(Text.unpack(filters.get(5).getTypedConfig(), RBAC.class).hasRules()).isFalse();
  }

  @Test
  void extensionsAreDiscoveredByNameBeforeTheRouter() {
    HttpFilter one = HttpFilters.discovered("shop/p/lua", "type/Lua", ADS);
    HttpFilter two = HttpFilters.discovered("shop/p/wasm", "type/Wasm", ADS);

    List<HttpFilter> filters = manager(List.of(one, two), OPTIONS).getHttpFiltersList();

    assertThat(filters.subList(6, 8)).containsExactly(one, two);
    assertThat(filters.get(8).getName()).isEqualTo("envoy.filters.http.router");
    assertThat(Text.of(one))
        .isEqualTo(
            "name: \"shop/p/lua\" config_discovery { config_source { ads { } initial_fetch_timeout"
                + " { seconds: 5 } resource_api_version: V3 } type_urls: \"type/Lua\" type_urls:"
                + " \"type.googleapis.com/envoy.extensions.filters.http.rbac.v3.RBAC\" } disabled:"
                + " true");
  }

  @Test
  void accessLogIsOptional() {
    HttpOptions logging =
        new HttpOptions(
            ADS, Duration.ofMinutes(1), HttpOptions.AccessLog.STDOUT, EdgeOptions.DEFAULT);

    assertThat(manager(List.of(), OPTIONS).getAccessLogList()).isEmpty();
    assertThat(manager(List.of(), logging).getAccessLogList())
        .extracting(log -> log.getName() + " " + log.getTypedConfig().getTypeUrl())
        .containsExactly(
            "envoy.access_loggers.stdout"
                + " type.googleapis.com/envoy.extensions.access_loggers.stream.v3.StdoutAccessLog");
    assertThat(manager(List.of(), logging).getStreamIdleTimeout().getSeconds()).isEqualTo(60);
  }

  @Test
  void listenerHasAddressAndConnectionManager() {
    HttpConnectionManager manager = manager(List.of(), OPTIONS);

    Listener listener = Listeners.http("ingress_http", new BindAddress("0.0.0.0", 8080), manager);

    assertThat(Text.of(listener.toBuilder().clearFilterChains()))
        .isEqualTo(
            "name: \"ingress_http\" address { socket_address { address: \"0.0.0.0\" port_value:"
                + " 8080 } }");
    Filter filter = listener.getFilterChains(0).getFilters(0);
    assertThat(filter.getName()).isEqualTo("envoy.filters.network.http_connection_manager");
    assertThat(Text.unpack(filter.getTypedConfig(), HttpConnectionManager.class))
        .isEqualTo(manager);
  }

  @Test
  void anyAddressListensOnBothIpVersions() {
    assertThat(Text.of(new BindAddress("::", 80).toProto()))
        .isEqualTo("socket_address { address: \"::\" port_value: 80 ipv4_compat: true }");
    assertThat(Text.of(new BindAddress("::1", 80).toProto()))
        .isEqualTo("socket_address { address: \"::1\" port_value: 80 }");
  }
}
