// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.objects.secret.Secret;
import dev.holdfast.testkit.TestCa;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Certificates and keys that Envoy would reject are rejected here, and no key is ever shown. */
class SecretTest {
  private static String pem(String name) {
    return TestPems.get(name);
  }

  private static String secret(String type, String field, String... entries) {
    StringBuilder yaml =
        new StringBuilder("apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n")
            .append("type: " + type + "\n" + field + ":\n");
    for (int i = 0; i < entries.length; i += 2) {
      String text = entries[i + 1];
      String encoded = Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
      yaml.append("  " + entries[i] + ": ")
          .append(field.equals("data") ? encoded + "\n" : "|\n" + text.indent(4));
    }
    return yaml.toString();
  }

  private static String tls(String certificate, String key) {
    return secret("kubernetes.io/tls", "data", "tls.crt", pem(certificate), "tls.key", pem(key));
  }

  @ParameterizedTest
  @CsvSource({
    "rsa-cert,rsa-key",
    "rsa-cert,rsa-pkcs1-key",
    "ec-cert,ec-key",
    "ec-cert,ec-sec1-key"
  })
  void matchingKeyIsAccepted(String certificate, String key) {
    Secret secret = YamlObjects.valid(Secret.class, tls(certificate, key));

    assertThat(secret.tls()).isNotNull();
    assertThat(new String(secret.tls().key().reveal(), StandardCharsets.US_ASCII))
        .isEqualTo(pem(key));
    assertThat(secret.toString()).doesNotContain("BEGIN").contains("private key (not shown)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      value = {
        "rsa-cert,other-key => 7:12: data[\"tls.key\"]: not the key of the certificate in tls.crt",
        "rsa-cert,ec-key => 7:12: data[\"tls.key\"]: not a private key of the type that the certificate in tls.crt needs (RSA)",
        "ec-cert,rsa-key => 7:12: data[\"tls.key\"]: not a private key of the type that the certificate in tls.crt needs (EC)",
        "rsa-cert,rsa-cert => 7:12: data[\"tls.key\"]: 0 private keys found (expected: one, in PEM)",
        "weak-cert,weak-key => 6:12: data[\"tls.crt\"]: RSA of 1024 bits (expected: at least 2048)",
        "rsa-key,rsa-key => 6:12: data[\"tls.crt\"]: block 1 is a PRIVATE KEY (expected: CERTIFICATE)",
      })
  void mismatchedKeyIsRejectedWithoutShowingIt(String pair, String problem) {
    String[] names = pair.split(",", 2);

    assertThat(YamlObjects.problems(tls(names[0], names[1]))).containsExactly(problem);
  }

  private static String base64(String pem) {
    return pem.replaceAll("-----[A-Z ]+-----|\\s", "");
  }

  @Test
  void aCertificateWhoseIssuerHasNoNameIsAccepted() {
    TestCa nameless = TestCa.create("");
    TestCa.Identity host = nameless.issue("a.example.com");
    Secret secret =
        YamlObjects.valid(
            Secret.class,
            secret(
                "kubernetes.io/tls",
                "data",
                "tls.crt",
                host.certificatePem(),
                "tls.key",
                host.privateKeyPem(),
                "ca.crt",
                nameless.certificatePem()));

    assertThat(secret.tls()).isNotNull();
    assertThat(secret.ca()).isNotNull();
    // Proxies get the certificates themselves: clients check their signatures.
    assertThat(secret.tls().chain().encoded()).containsExactly(base64(host.certificatePem()));
    assertThat(secret.ca().encoded()).containsExactly(base64(nameless.certificatePem()));
    assertThat(
            YamlObjects.problems(
                secret(
                    "kubernetes.io/tls",
                    "data",
                    "tls.crt",
                    host.certificatePem(),
                    "tls.key",
                    nameless.issue("b.example.com").privateKeyPem())))
        .singleElement()
        .asString()
        .contains("not the key of the certificate");
  }

  @Test
  void tlsSecretNeedsBothEntries() {
    assertThat(YamlObjects.problems(secret("kubernetes.io/tls", "data", "ca.crt", pem("rsa-cert"))))
        .containsExactly("1:1: data[\"tls.crt\"]: missing", "1:1: data[\"tls.key\"]: missing");
  }

  @Test
  void stringDataIsAccepted() {
    Secret secret =
        YamlObjects.valid(Secret.class, secret("Opaque", "stringData", "ca.crt", pem("ec-cert")));

    assertThat(secret.ca()).isNotNull();
    assertThat(secret.ca().certificates()).hasSize(1);
    assertThat(secret.tls()).isNull();
  }

  @Test
  void invalidCertificateIsRejected() {
    String garbage = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";

    assertThat(YamlObjects.problems(secret("Opaque", "data", "ca.crt", garbage)))
        .containsExactly("6:11: data[\"ca.crt\"]: block 1 is not a certificate (expected: X.509)");
    assertThat(YamlObjects.problems(secret("Opaque", "data", "ca.crt", "hello")))
        .containsExactly(
            "6:11: data[\"ca.crt\"]: no PEM block found (expected: -----BEGIN CERTIFICATE-----)");
  }

  @Test
  void messagesNeverQuoteEntries() {
    String yaml =
        "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {password: hunter2!, pin: 1234}";

    assertThat(YamlObjects.problems(yaml))
        .containsExactly(
            "4:18: data[\"password\"]: not base64 (expected: base64; plain text goes into"
                + " stringData)",
            "4:33: data[\"pin\"]: a number (expected: a string; put it in quotes)");
  }
}
