// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.translate.proto.Text;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** TLS to services. */
class UpstreamTlsTest {
  private static final String SDS =
      "sds_config { ads { } initial_fetch_timeout { seconds: 5 } resource_api_version: V3 }";

  private static UpstreamTlsContext tls(String route) {
    Cluster cluster = ClusterFixtures.cluster(route);
    assertThat(cluster.getTransportSocket().getName()).isEqualTo("envoy.transport_sockets.tls");
    return Text.unpack(cluster.getTransportSocket().getTypedConfig(), UpstreamTlsContext.class);
  }

  private static final String VERSIONS =
      "tls_params { tls_minimum_protocol_version: TLSv1_2 tls_maximum_protocol_version: TLSv1_3 }";

  @Test
  void certificateIsNotValidatedByDefault() {
    assertThat(Text.of(tls("services: [{name: s, port: 80, protocol: tls}]")))
        .isEqualTo("common_tls_context { " + VERSIONS + " }");
    assertThat(Text.of(tls("services: [{name: s, port: 80, protocol: h2}]")))
        .isEqualTo("common_tls_context { " + VERSIONS + " alpn_protocols: \"h2\" }");
  }

  @Test
  void certificateMustBeForOneOfTheSubjectNames() {
    UpstreamTlsContext tls =
        tls(
            "services: [{name: s, port: 80, protocol: tls, validation: {caSecret: ca, subjectName:"
                + " a.example, subjectNames: [a.example, b.example]}}]");

    assertThat(Text.of(tls))
        .isEqualTo(
            "common_tls_context { "
                + VERSIONS
                + " combined_validation_context { default_validation_context {"
                + " match_typed_subject_alt_names { san_type: DNS matcher { exact: \"a.example\" }"
                + " } match_typed_subject_alt_names { san_type: DNS matcher { exact: \"b.example\""
                + " } } } validation_context_sds_secret_config { name: \"shop/ca/ca\" "
                + SDS
                + " } } }");
  }

  @ParameterizedTest
  @CsvSource({
    "a.example,DNS",
    "spiffe://shop/s,URI",
    "10.0.0.1,IP_ADDRESS",
    "'2001:db8::1',IP_ADDRESS"
  })
  void subjectNameTypeIsInferred(String name, String type) {
    UpstreamTlsContext tls =
        tls(
            "services: [{name: s, port: 80, protocol: h2, validation: {caSecret: ca, subjectName:"
                + " '"
                + name
                + "'}}]");

    assertThat(
            Text.of(
                tls.getCommonTlsContext()
                    .getCombinedValidationContext()
                    .getDefaultValidationContext()))
        .isEqualTo(
            "match_typed_subject_alt_names { san_type: %s matcher { exact: \"%s\" } }"
                .formatted(type, name));
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      value = {
        "Host, value: a.example|X, value: b => a.example",
        "X, value: a|host, value: b.example => b.example",
        "host, value: a.example|host, value: b.example => a.example",
        "host, value: 'a.example:8443'|X, value: b => a.example",
        "X, value: a|host, value: '%REQ(h)%' => ''",
        "X, value: a|Y, value: b => ''",
      })
  void serverNameIsTheRewrittenHost(String written, String name) {
    int bar = written.indexOf('|');
    String route =
        ("services: [{name: s, port: 80, protocol: tls, requestHeadersPolicy: {set: [{name: %s}]}}],"
                + " requestHeadersPolicy: {set: [{name: %s}]}")
            .formatted(written.substring(0, bar), written.substring(bar + 1));

    assertThat(tls(route).getSni()).isEqualTo(name);
  }

  @Test
  void noTlsMeansNoTransportSocket() {
    assertThat(
            ClusterFixtures.cluster(
                    "services: [{name: s, port: 80, protocol: h2c, validation: {caSecret: ca,"
                        + " subjectName: a}}]")
                .hasTransportSocket())
        .isFalse();
  }
}
