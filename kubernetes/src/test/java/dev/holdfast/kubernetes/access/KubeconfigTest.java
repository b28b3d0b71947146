// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.kubernetes.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What kubectl reads, read the same way. */
class KubeconfigTest {
  private static final String CONFIG =
      """
      apiVersion: v1
      kind: Config
      clusters:
      - {name: one, cluster: {server: "https://127.0.0.1:6443"}}
      - {name: two, cluster: {server: "https://host/k8s/clusters/c1", insecure-skip-tls-verify: true}}
      users:
      - {name: admin, user: {token: secret}}
      - {name: file, user: {tokenFile: token}}
      - {name: plugin, user: {exec: {command: aws}}}
      contexts:
      - {name: a, context: {cluster: one, user: admin}}
      - {name: b, context: {cluster: two, user: file}}
      - {name: c, context: {cluster: one, user: plugin}}
      current-context: a
      """;

  @TempDir private Path directory;

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  private ClusterAccess read(String context) throws Exception {
    return Kubeconfig.read(List.of(write("config", CONFIG)), context.isEmpty() ? null : context);
  }

  @Test
  void theCurrentContextCountsUnlessAnotherIsNamed() throws Exception {
    ClusterAccess current = read("");
    assertThat(current.at("/readyz")).hasToString("https://127.0.0.1:6443/readyz");
    assertThat(current.token().get()).isEqualTo("secret");
    assertThat(current.toString()).doesNotContain("secret");

    write("token", "first\n");
    ClusterAccess other = read("b");
    assertThat(other.at("/readyz")).hasToString("https://host/k8s/clusters/c1/readyz");
    assertThat(other.token().get()).isEqualTo("first");
    write("token", "second\n");
    assertThat(other.token().get()).as("tokens are replaced").isEqualTo("second");
  }

  @Test
  void severalFilesAreOneAndTheFirstCounts() throws Exception {
    Path first =
        write("first", "current-context: a\nusers: [{name: admin, user: {token: mine}}]\n");
    ClusterAccess access = Kubeconfig.read(List.of(first, write("config", CONFIG)), null);
    assertThat(access.token().get()).isEqualTo("mine");
    assertThat(access.server()).hasHost("127.0.0.1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "c|exec: not supported (expected: token, tokenFile",
        "d|contexts: no context 'd' (expected: one of a, b, c)"
      })
  void whatIsMissingIsSaid(String context, String message) {
    assertThatThrownBy(() -> read(context))
        .isInstanceOf(AccessException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    Path missing = directory.resolve("missing");
    assertThatThrownBy(() -> Kubeconfig.read(List.of(missing), null))
        .hasMessageContaining(missing + ": cannot be read");
  }

  @Test
  void theEnvironmentNamesTheFiles() {
    Path home = Path.of("/home/u");
    assertThat(Kubeconfig.files(Map.of(), home)).containsExactly(home.resolve(".kube/config"));
    assertThat(Kubeconfig.files(Map.of("KUBECONFIG", "/a:/b"), home))
        .containsExactly(Path.of("/a"), Path.of("/b"));
  }

  @Test
  void aPodHasItsOwnAccess() throws Exception {
    Map<String, String> pod =
        Map.of("KUBERNETES_SERVICE_HOST", "fd00::1", "KUBERNETES_SERVICE_PORT", "443");
    assertThat(PodAccess.isPod(pod)).isTrue();
    assertThatThrownBy(() -> PodAccess.of(pod, directory))
        .hasMessageContaining("token: cannot be read");
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "secp256r1", "secp384r1", "secp521r1", "Ed25519"})
  void keysAreReadInTheFormsThatToolsWriteThem(String algorithm) throws Exception {
    PrivateKey key = generate(algorithm);
    byte[] pkcs8 = key.getEncoded();
    assertThat(PemKey.read(pem("PRIVATE KEY", pkcs8))).isEqualTo(key);
    if (!algorithm.equals("Ed25519")) {
      String type = algorithm.equals("RSA") ? "RSA PRIVATE KEY" : "EC PRIVATE KEY";
      assertThat(PemKey.read(pem(type, inner(pkcs8))).getAlgorithm()).isEqualTo(key.getAlgorithm());
    }
  }

  @Test
  void aKeyOfAnotherFormIsRefused() {
    assertThatThrownBy(() -> PemKey.read(pem("ENCRYPTED PRIVATE KEY", new byte[4])))
        .hasMessageContaining("ENCRYPTED PRIVATE KEY (expected: PRIVATE KEY");
    assertThatThrownBy(() -> PemKey.read(new byte[0])).hasMessageContaining("no private key");
  }

  private static PrivateKey generate(String algorithm) throws GeneralSecurityException {
    if (algorithm.startsWith("secp")) {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec(algorithm));
      return generator.generateKeyPair().getPrivate();
    }
    return KeyPairGenerator.getInstance(algorithm).generateKeyPair().getPrivate();
  }

  private static byte[] pem(String type, byte[] der) {
    String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return ("-----BEGIN " + type + "-----\n" + base64 + "\n-----END " + type + "-----\n")
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** The key inside of PKCS#8: the octets at its end. */
  private static byte[] inner(byte[] pkcs8) {
    int at = 0;
    at = content(pkcs8, at); // sequence
    at = skip(pkcs8, at); // version
    at = skip(pkcs8, at); // algorithm
    int from = content(pkcs8, at);
    return Arrays.copyOfRange(pkcs8, from, skip(pkcs8, at));
  }

  private static int content(byte[] der, int at) {
    int length = der[at + 1] & 0xff;
    return at + 2 + (length < 0x80 ? 0 : length & 0x7f);
  }

  private static int skip(byte[] der, int at) {
    int length = der[at + 1] & 0xff;
    int size = length;
    if (length >= 0x80) {
      size = 0;
      for (int i = 0; i < (length & 0x7f); i++) {
        size = (size << 8) | (der[at + 2 + i] & 0xff);
      }
    }
    return content(der, at) + size;
  }
}
