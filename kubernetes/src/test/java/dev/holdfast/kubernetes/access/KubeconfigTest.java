// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.kubernetes.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
}
