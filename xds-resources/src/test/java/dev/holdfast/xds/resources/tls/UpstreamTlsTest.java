// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Problem;
import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.DecodeOptions;
import dev.holdfast.xds.resources.decode.Decoding;
import dev.holdfast.xds.resources.matcher.StringMatcher;
import dev.holdfast.xds.resources.testing.Protos;
import io.envoyproxy.envoy.config.core.v3.TransportSocket;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** gRFC A29, A82, A101: clusters. */
class UpstreamTlsTest {
  private static final String COMMON = "typed_config.common_tls_context";
  private static final String CA =
      "ca_certificate_provider_instance { instance_name: 'ca' certificate_name: 'root' } ";

  private final Problems problems = new Problems();

  @Test
  void everythingIsRead() {
    assertThat(
            decode(
                """
                sni: 's' auto_host_sni: true auto_sni_san_validation: true
                common_tls_context {
                  alpn_protocols: 'h2'
                  tls_certificate_provider_instance { instance_name: 'id' certificate_name: 'n' }
                  combined_validation_context { default_validation_context {
                    match_subject_alt_names { exact: 'a' } match_subject_alt_names { prefix: 'b' }
                    trusted_ca { filename: 'ignored' } allow_expired_certificate: true
                    %s
                  } }
                }
                """
                    .formatted(CA)))
        .isEqualTo(
            new UpstreamTls(
                new CertificateProvider("id", "n"),
                new CertificateProvider("ca", "root"),
                List.of(new StringMatcher.Exact("a", false), new StringMatcher.Prefix("b", false)),
                "s",
                true,
                true));
    assertThat(problems.any()).isFalse();
  }

  @Test
  void identityIsOptionalAndRootsMayBeThoseOfTheSystem() {
    assertThat(decode("common_tls_context { validation_context { system_root_certs {} } }"))
        .isEqualTo(new UpstreamTls(null, null, List.of(), "", false, false));
  }

  @Test
  void namedProviderGoesBeforeTheRootsOfTheSystem() {
    UpstreamTls tls =
        decode("common_tls_context { validation_context { system_root_certs {} " + CA + "} }");

    assertThat(tls).isNotNull();
    assertThat(tls.roots()).isEqualTo(new CertificateProvider("ca", "root"));
  }

  @Test
  void olderFieldsForProvidersStillCount() {
    assertThat(
            decode(
                """
                common_tls_context {
                  tls_certificate_certificate_provider_instance { instance_name: 'id' }
                  combined_validation_context {
                    default_validation_context {}
                    validation_context_certificate_provider_instance { instance_name: 'ca' }
                  }
                }
                """))
        .isEqualTo(
            new UpstreamTls(
                new CertificateProvider("id", ""),
                new CertificateProvider("ca", ""),
                List.of(),
                "",
                false,
                false));
  }

  @Test
  void serverMustBeValidated() {
    assertThat(decode("")).isNull();
    assertThat(decode("common_tls_context {}")).isNull();
    assertThat(decode("common_tls_context { combined_validation_context {} }")).isNull();
    assertThat(decode("common_tls_context { validation_context {} }")).isNull();

    assertThat(found())
        .containsExactly(
            COMMON + ": not set (expected: how to validate the server)",
            COMMON
                + ": no way to validate the server (expected: validation_context or"
                + " combined_validation_context.default_validation_context)",
            COMMON
                + ": no way to validate the server (expected: validation_context or"
                + " combined_validation_context.default_validation_context)",
            COMMON
                + ".validation_context.ca_certificate_provider_instance: not set (expected: this or"
                + " system_root_certs)");
  }

  @Test
  void providersMustBeInTheBootstrap() {
    assertThat(
            decode(
                """
                common_tls_context {
                  tls_certificate_provider_instance { instance_name: 'x' }
                  validation_context { ca_certificate_provider_instance { instance_name: 'y' } }
                }
                """))
        .isNull();

    assertThat(found())
        .containsExactly(
            COMMON
                + ".tls_certificate_provider_instance.instance_name: \"x\" (expected: an instance"
                + " under certificate_providers of the bootstrap)",
            COMMON
                + ".validation_context.ca_certificate_provider_instance.instance_name: \"y\""
                + " (expected: an instance under certificate_providers of the bootstrap)");
  }

  @Test
  void whateverWouldWeakenSecurityByBeingIgnoredIsRejected() {
    assertThat(
            decode(
                """
                common_tls_context {
                  tls_params {} custom_handshaker { name: 'h' }
                  tls_certificates {} tls_certificate_sds_secret_configs {}
                  validation_context {
                    %s
                    verify_certificate_spki: 's' verify_certificate_hash: 'h'
                    match_typed_subject_alt_names { san_type: DNS }
                    require_signed_certificate_timestamp {} crl {} custom_validator_config {}
                    match_subject_alt_names { safe_regex { regex: '(' } }
                  }
                }
                """
                    .formatted(CA)))
        .isNull();

    assertThat(problems.list())
        .extracting(Problem::path)
        .containsExactly(
            COMMON + ".tls_params",
            COMMON + ".custom_handshaker",
            COMMON + ".tls_certificates",
            COMMON + ".tls_certificate_sds_secret_configs",
            COMMON + ".validation_context.verify_certificate_spki",
            COMMON + ".validation_context.verify_certificate_hash",
            COMMON + ".validation_context.match_typed_subject_alt_names",
            COMMON + ".validation_context.require_signed_certificate_timestamp",
            COMMON + ".validation_context.crl",
            COMMON + ".validation_context.custom_validator_config",
            COMMON + ".validation_context.match_subject_alt_names[0].safe_regex.regex");
  }

  @Test
  void ownCertificatesBesidesAProviderAreIgnored() {
    assertThat(
            decode(
                "common_tls_context { tls_certificates {} tls_certificate_provider_instance {"
                    + " instance_name: 'id' } validation_context {"
                    + CA
                    + "} }"))
        .isNotNull();
  }

  @Test
  void validationBySdsIsRejectedOnce() {
    assertThat(decode("common_tls_context { validation_context_sds_secret_config {} }")).isNull();

    assertThat(found())
        .containsExactly(
            COMMON
                + ".validation_context_sds_secret_config: set (expected: validation_context or"
                + " combined_validation_context)");
  }

  @Test
  void sniIsLimited() {
    String common = "common_tls_context { validation_context { system_root_certs {} } } ";

    assertThat(decode(common + "sni: '" + "s".repeat(255) + "'")).isNotNull();
    assertThat(decode(common + "sni: '" + "s".repeat(256) + "'")).isNull();

    assertThat(found()).containsExactly("typed_config.sni: 256 characters (expected: at most 255)");
  }

  @Test
  void otherTransportSocketsAreRejected() {
    assertThat(socket("name: 'envoy.transport_sockets.alts'")).isNull();
    assertThat(
            socket(
                "name: 'envoy.transport_sockets.tls' typed_config {"
                    + Protos.UNKNOWN_EXTENSION
                    + "}"))
        .isNull();

    assertThat(found())
        .containsExactly(
            "name: \"envoy.transport_sockets.alts\" (expected: envoy.transport_sockets.tls)",
            "typed_config: \"acme.Unknown\" (expected:"
                + " envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext)");
  }

  private List<String> found() {
    return problems.list().stream().map(Problem::toString).toList();
  }

  private @Nullable UpstreamTls decode(String context) {
    return socket(
        "name: 'envoy.transport_sockets.tls' typed_config {"
            + " [TYPE/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext] {"
            + context
            + "} }");
  }

  private @Nullable UpstreamTls socket(String text) {
    DecodeOptions options = DecodeOptions.defaults().withCertificateProviders(Set.of("id", "ca"));
    TransportSocket socket = (TransportSocket) Protos.merge(text, TransportSocket.newBuilder());
    return UpstreamTlsDecoder.decode(socket, new Decoding(options), problems);
  }
}
