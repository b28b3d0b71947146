// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Problem;
import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.DecodeOptions;
import dev.holdfast.xds.resources.decode.Decoding;
import dev.holdfast.xds.resources.testing.Protos;
import io.envoyproxy.envoy.config.core.v3.TransportSocket;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** gRFC A29, A82: filter chains. */
class DownstreamTlsTest {
  private static final String COMMON = "typed_config.common_tls_context";
  private static final String ID = "tls_certificate_provider_instance { instance_name: 'id' } ";
  private static final String CA = "ca_certificate_provider_instance { instance_name: 'ca' } ";

  private final Problems problems = new Problems();

  @Test
  void certificateAloneIsTls() {
    assertThat(decode("common_tls_context {" + ID + "}"))
        .isEqualTo(new DownstreamTls(new CertificateProvider("id", ""), null, false));
  }

  @Test
  void rootsMakeItMutual() {
    assertThat(
            decode(
                "require_client_certificate { value: true } common_tls_context {"
                    + ID
                    + "validation_context {"
                    + CA
                    + "} }"))
        .isEqualTo(
            new DownstreamTls(
                new CertificateProvider("id", ""), new CertificateProvider("ca", ""), true));
  }

  @Test
  void serverMustHaveACertificate() {
    assertThat(decode("")).isNull();
    assertThat(decode("common_tls_context { tls_certificates {} }")).isNull();
    assertThat(
            decode(
                "common_tls_context { tls_certificate_provider_instance { instance_name: 'x' } }"))
        .isNull();

    assertThat(found())
        .containsExactly(
            COMMON + ": not set (expected: the server's certificate)",
            COMMON
                + ".tls_certificate_provider_instance: not set (expected: where the server's"
                + " certificate comes from)",
            COMMON
                + ".tls_certificate_provider_instance.instance_name: \"x\" (expected: an instance"
                + " under certificate_providers of the bootstrap)");
  }

  @Test
  void requiredClientCertificateMustBeValidated() {
    assertThat(decode("require_client_certificate { value: true } common_tls_context {" + ID + "}"))
        .isNull();

    assertThat(found())
        .containsExactly(
            COMMON
                + ": require_client_certificate without a way to validate it (expected:"
                + " validation_context or combined_validation_context.default_validation_context)");
  }

  @Test
  void rootsOfTheSystemAreNotForServers() {
    assertThat(
            decode("common_tls_context {" + ID + "validation_context { system_root_certs {} } }"))
        .isNull();

    assertThat(found())
        .containsExactly(
            COMMON
                + ".validation_context.ca_certificate_provider_instance: not set (expected: the"
                + " certificates that vouch for clients)");
  }

  @Test
  void whateverWouldWeakenSecurityByBeingIgnoredIsRejected() {
    assertThat(
            decode(
                """
                require_sni { value: true } ocsp_staple_policy: MUST_STAPLE
                common_tls_context {
                  tls_params {} %s
                  validation_context { %s crl {} match_subject_alt_names { exact: 'a' } }
                }
                """
                    .formatted(ID, CA)))
        .isNull();
    assertThat(decode("common_tls_context {" + ID + "validation_context_sds_secret_config {} }"))
        .isNull();

    assertThat(problems.list())
        .extracting(Problem::path)
        .containsExactly(
            "typed_config.require_sni",
            "typed_config.ocsp_staple_policy",
            COMMON + ".tls_params",
            COMMON + ".validation_context.crl",
            COMMON + ".validation_context.match_subject_alt_names",
            COMMON + ".validation_context_sds_secret_config");
  }

  private List<String> found() {
    return problems.list().stream().map(Problem::toString).toList();
  }

  private @Nullable DownstreamTls decode(String context) {
    DecodeOptions options = DecodeOptions.defaults().withCertificateProviders(Set.of("id", "ca"));
    TransportSocket socket =
        (TransportSocket)
            Protos.merge(
                "name: 'envoy.transport_sockets.tls' typed_config {"
                    + " [TYPE/envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext] {"
                    + context
                    + "} }",
                TransportSocket.newBuilder());
    return DownstreamTlsDecoder.decode(socket, new Decoding(options), problems);
  }
}
