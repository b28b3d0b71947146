// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.controlplane.objects.httpproxy.Tls;
import dev.holdfast.controlplane.translate.proto.ConfigSources;
import dev.holdfast.controlplane.translate.proto.Text;
import dev.holdfast.controlplane.translate.proto.YamlFixtures;
import io.envoyproxy.envoy.config.core.v3.ConfigSource;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The listener for TLS, with filter chains by SNI. */
class TlsListenerTest {
  private static final ConfigSource ADS = ConfigSources.ads(Duration.ofSeconds(5));
  private static final HttpOptions OPTIONS =
      new HttpOptions(ADS, Duration.ofMinutes(5), HttpOptions.AccessLog.NONE, EdgeOptions.DEFAULT);
  private static final String SDS =
      "sds_config { ads { } initial_fetch_timeout { seconds: 5 } resource_api_version: V3 }";
  private static final String CERTIFICATE =
      "tls_certificate_sds_secret_configs { name: \"shop/cert\" " + SDS + " }";
  private static final HttpConnectionManager MANAGER =
      HttpManagers.of("ingress_https", "https/a.example", List.of(), OPTIONS);

  private static DownstreamTls tls(String yaml) {
    Tls tls = YamlFixtures.host("tls: {secretName: cert" + yaml + "}").tls();
    if (tls == null) {
      throw new AssertionError("no TLS");
    }
    Tls.ClientValidation clients = tls.clientValidation();
    return new DownstreamTls(
        "shop/cert",
        tls.minimum(),
        tls.maximum(),
        clients == null
            ? null
            : DownstreamTls.Clients.of(clients, clients.caSecret() == null ? null : "shop/ca/ca"));
  }

  private static DownstreamTlsContext context(FilterChain chain) {
    assertThat(chain.getTransportSocket().getName()).isEqualTo("envoy.transport_sockets.tls");
    return Text.unpack(chain.getTransportSocket().getTypedConfig(), DownstreamTlsContext.class);
  }

  private static FilterChain https(String yaml) {
    return FilterChains.https("a.example", tls(yaml), MANAGER, OPTIONS);
  }

  @Test
  void hostHasItsOwnFilterChain() {
    FilterChain chain = https("");

    assertThat(chain.getName()).isEqualTo("a.example");
    assertThat(Text.of(chain.getFilterChainMatch()))
        .isEqualTo("transport_protocol: \"tls\" server_names: \"a.example\"");
    assertThat(Text.unpack(chain.getFilters(0).getTypedConfig(), HttpConnectionManager.class))
        .isEqualTo(MANAGER);
    assertThat(Text.of(context(chain)))
        .isEqualTo(
            "common_tls_context { tls_params { tls_minimum_protocol_version: TLSv1_2"
                + " tls_maximum_protocol_version: TLSv1_3 } alpn_protocols: \"h2\" alpn_protocols:"
                + " \"http/1.1\" "
                + CERTIFICATE
                + " }");
  }

  @Test
  void chainForAllHostsMatchesAnySni() {
    FilterChain chain = FilterChains.https("*", tls(""), MANAGER, OPTIONS);

    assertThat(Text.of(chain.getFilterChainMatch())).isEqualTo("transport_protocol: \"tls\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      value = {
        "minimumProtocolVersion: '1.3' => TLSv1_3 TLSv1_3",
        "maximumProtocolVersion: '1.2' => TLSv1_2 TLSv1_2",
      })
  void tlsVersionsAreConfigurable(String written, String versions) {
    var parameters = context(https(", " + written)).getCommonTlsContext().getTlsParams();

    assertThat(
            parameters.getTlsMinimumProtocolVersion()
                + " "
                + parameters.getTlsMaximumProtocolVersion())
        .isEqualTo(versions);
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      value = {
        "caSecret: ca => combined_validation_context { default_validation_context { } validation_context_sds_secret_config { name: \"shop/ca/ca\" SDS } } } require_client_certificate { value: true }",
        "caSecret: ca, optionalClientCertificate: true => combined_validation_context { default_validation_context { } validation_context_sds_secret_config { name: \"shop/ca/ca\" SDS } } } require_client_certificate { }",
        "skipClientCertValidation: true => validation_context { trust_chain_verification: ACCEPT_UNTRUSTED } } require_client_certificate { value: true }",
        "caSecret: ca, skipClientCertValidation: true => combined_validation_context { default_validation_context { trust_chain_verification: ACCEPT_UNTRUSTED } validation_context_sds_secret_config { name: \"shop/ca/ca\" SDS } } } require_client_certificate { value: true }",
      })
  void clientCertificatesAreValidated(String written, String text) {
    DownstreamTlsContext context = context(https(", clientValidation: {" + written + "}"));

    assertThat(context.getCommonTlsContext().getTlsCertificateSdsSecretConfigsCount()).isEqualTo(1);
    DownstreamTlsContext.Builder rest = context.toBuilder();
    rest.getCommonTlsContextBuilder()
        .clearTlsCertificateSdsSecretConfigs()
        .clearTlsParams()
        .clearAlpnProtocols();
    assertThat(Text.of(rest.build())).isEqualTo("common_tls_context { " + text.replace("SDS", SDS));
  }

  private static TcpProxy tcp(FilterChain chain) {
    assertThat(chain.getFilters(0).getName()).isEqualTo("envoy.filters.network.tcp_proxy");
    return Text.unpack(chain.getFilters(0).getTypedConfig(), TcpProxy.class);
  }

  @Test
  void tcpProxyAfterTlsTermination() {
    FilterChain chain =
        FilterChains.tcp(
            "a.example", tls(""), "ingress_https", List.of(new TcpTarget("c", 0)), OPTIONS);

    assertThat(Text.of(tcp(chain))).isEqualTo("stat_prefix: \"ingress_https\" cluster: \"c\"");
    assertThat(context(chain).getCommonTlsContext().getAlpnProtocolsList()).isEmpty();
  }

  @Test
  void tlsPassthrough() {
    FilterChain chain =
        FilterChains.passthrough(
            "a.example", "ingress_https", List.of(new TcpTarget("c", 1)), OPTIONS);

    assertThat(chain.hasTransportSocket()).isFalse();
    assertThat(chain.getFilterChainMatch().getServerNamesList()).containsExactly("a.example");
    assertThat(tcp(chain).getCluster()).isEqualTo("c");
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      value = {
        "1,3 => weighted_clusters { clusters { name: \"c0\" weight: 1 } clusters { name: \"c1\" weight: 3 } }",
        "0,0 => weighted_clusters { clusters { name: \"c0\" weight: 1 } clusters { name: \"c1\" weight: 1 } }",
        "0,3 => cluster: \"c1\"",
      })
  void connectionsAreSplitByWeight(String weights, String text) {
    int comma = weights.indexOf(',');
    List<TcpTarget> targets =
        List.of(
            new TcpTarget("c0", Long.parseLong(weights.substring(0, comma))),
            new TcpTarget("c1", Long.parseLong(weights.substring(comma + 1))));

    TcpProxy proxy = tcp(FilterChains.passthrough("a.example", "s", targets, OPTIONS));

    assertThat(Text.of(proxy)).isEqualTo("stat_prefix: \"s\" " + text);
  }

  @Test
  void tcpProxyNeedsATarget() {
    assertThatThrownBy(() -> FilterChains.passthrough("a.example", "s", List.of(), OPTIONS))
        .hasMessage("targets: [] (expected: at least one)");
  }

  @Test
  void listenerInspectsSni() {
    FilterChain chain = https("");

    Listener listener =
        Listeners.tls("ingress_https", new BindAddress("0.0.0.0", 8443), List.of(chain));

    assertThat(listener.getName()).isEqualTo("ingress_https");
    assertThat(listener.getListenerFiltersList())
        .extracting(filter -> filter.getName())
        .containsExactly("envoy.filters.listener.tls_inspector");
    assertThat(listener.getFilterChainsList()).containsExactly(chain);
  }
}
