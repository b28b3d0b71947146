// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Resources;
import dev.holdfast.testkit.TestCa;
import dev.holdfast.testkit.TypeUrls;
import dev.holdfast.testkit.envoy.EnvoyResources;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import org.junit.jupiter.api.Test;

/** Backends behind a real Envoy, with every protocol that they speak. */
class BackendTest {
  private static final String TLS =
      """
      "transport_socket": {"name": "tls", "typed_config": {
        "@type": "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext",
        "sni": "inside.example"%s}}
      """;
  private static final String HTTP2 =
      """
      "typed_extension_protocol_options": {"envoy.extensions.upstreams.http.v3.HttpProtocolOptions": {
        "@type": "type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions",
        "explicit_http_config": {"http2_protocol_options": {}}}}
      """;
  private static final String ALPN = ", \"common_tls_context\": {\"alpn_protocols\": [\"h2\"]}";

  @Test
  void speakHttp2WithoutTls() {
    try (Backend backend = Backend.start("plain")) {
      Echo echo = echoThrough(backend, HTTP2);

      assertThat(echo.protocol()).isEqualTo("HTTP/2.0");
      assertThat(echo.host()).isEqualTo("one.example");
      assertThat(echo.path()).isEqualTo("/x");
      assertThat(echo.sni()).isEmpty();
    }
  }

  @Test
  void speakHttp1WithTls() {
    try (Backend backend = Backend.startTls("secure", TestCa.create("ca"))) {
      Echo echo = echoThrough(backend, TLS.formatted(""));

      assertThat(echo.protocol()).isEqualTo("HTTP/1.1");
      assertThat(echo.sni()).isEqualTo("inside.example");
      assertThat(echo.client()).isEmpty();
    }
  }

  @Test
  void speakHttp2WithTls() {
    try (Backend backend = Backend.startTls("secure", TestCa.create("ca"))) {
      Echo echo = echoThrough(backend, TLS.formatted(ALPN) + ", " + HTTP2);

      assertThat(echo.protocol()).isEqualTo("HTTP/2.0");
      assertThat(echo.sni()).isEqualTo("inside.example");
      assertThat(backend.awaitRequest()).isEqualTo(echo);
    }
  }

  private static Echo echoThrough(Backend backend, String settings) {
    try (Bench bench = Bench.start(Bench.Kind.REAL_DELTA)) {
      bench.boot();
      Cluster plain = EnvoyResources.staticCluster("one", backend.port());
      bench
          .script
          .push(plain.toBuilder().mergeFrom(Resources.cluster("{" + settings + "}")).build())
          .acked();
      assertThat(bench.script.asks()).extracting(Ask::type).contains(TypeUrls.LISTENER);
      EnvoyProcess envoy = ((Proxy.Real) bench.proxy).envoy();
      return envoy.http("ingress").get("/x").host("one.example").send().echo();
    }
  }
}
