// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.holdfast.controlplane.objects.secret.Secret;
import dev.holdfast.testkit.TestCa;
import io.envoyproxy.envoy.config.core.v3.DataSource;
import org.junit.jupiter.api.Test;

/** Certificates and keys. */
class SecretsTest {
  private static final TestCa CA = TestCa.create("test");
  private static final TestCa.Identity SERVER = CA.issue("a.example");

  private static Secret secret(String type, String entries) {
    return YamlFixtures.object(
        Secret.class,
        """
        apiVersion: v1
        kind: Secret
        metadata: {name: cert, namespace: shop}
        type: %s
        stringData:
        """
                .formatted(type)
            + entries.indent(2));
  }

  private static String entry(String name, String pem) {
    return name + ": |\n" + pem.indent(2);
  }

  private static DataSource inline(String text) {
    return DataSource.newBuilder().setInlineBytes(ByteString.copyFromUtf8(text)).build();
  }

  @Test
  void serverCertificateHasChainAndKey() {
    String chain = SERVER.certificatePem() + CA.certificatePem();
    Secret.KeyPair pair =
        secret(
                "kubernetes.io/tls",
                entry("tls.crt", "left out\n" + chain) + entry("tls.key", SERVER.privateKeyPem()))
            .tls();
    if (pair == null) {
      throw new AssertionError("no key pair");
    }

    var secret = Secrets.certificate("shop/cert", pair);

    assertThat(secret.getName()).isEqualTo("shop/cert");
    assertThat(secret.getTlsCertificate().getCertificateChain()).isEqualTo(inline(chain));
    assertThat(secret.getTlsCertificate().getPrivateKey())
        .isEqualTo(inline(SERVER.privateKeyPem()));
  }

  @Test
  void authorityHasItsCertificates() {
    var authorities = secret("Opaque", entry("ca.crt", CA.certificatePem())).ca();
    if (authorities == null) {
      throw new AssertionError("no authorities");
    }

    var secret = Secrets.authority("shop/cert/ca", authorities);

    assertThat(secret.getName()).isEqualTo("shop/cert/ca");
    assertThat(secret.getValidationContext().getTrustedCa()).isEqualTo(inline(CA.certificatePem()));
    assertThat(secret.hasTlsCertificate()).isFalse();
  }
}
