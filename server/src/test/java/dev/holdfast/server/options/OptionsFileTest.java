// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.controlplane.brake.BrakeOptions;
import dev.holdfast.controlplane.rollout.trial.DisagreementPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What can be written into holdfast.yaml, and what cannot. */
class OptionsFileTest {
  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void place() {
    file = directory.resolve("holdfast.yaml");
  }

  @Test
  void everyOptionCanBeWritten() throws Exception {
    write(
        """
        source: {directory: objects, limits: "depth=5"}
        state: {path: /var/lib/holdfast/state.db}
        xds: {address: '[::1]:1'}
        admin:
          address: 0.0.0.0:2
          token: 0123456789abcdef
        http: {address: 127.0.0.1:3}
        https: {address: 127.0.0.1:4}
        ingressClass: outside
        rollout: {disagreement: per-class, deletionBrake: "20%,5"}
        """);

    ServeOptions options = OptionsFile.read(file).complete(Map.of());

    assertThat(options)
        .isEqualTo(
            new ServeOptions(
                new SourceOptions.Directory(
                    directory.resolve("objects"), TreeLimitsOption.parse("depth=5")),
                new StateOptions.InFile(Path.of("/var/lib/holdfast/state.db")),
                new ListenAddress("::1", 1),
                new ServeOptions.Admin(new ListenAddress("0.0.0.0", 2), "0123456789abcdef"),
                new ServeOptions.Listeners(
                    new ListenAddress("127.0.0.1", 3),
                    new ListenAddress("127.0.0.1", 4),
                    "outside"),
                DisagreementPolicy.PER_CLASS,
                BrakeOptions.of(20, 5)));
    assertThat(options.toString()).doesNotContain("0123456789abcdef");
  }

  @Test
  void anEmptyFileSaysNothing() throws Exception {
    write("# nothing yet\nadmin:\n");

    assertThat(OptionsFile.read(file)).isEqualTo(PartialOptions.none());
  }

  @Test
  void theTokenMayBeInAFileOfItsOwn() throws Exception {
    Files.writeString(directory.resolve("token"), "abcdefghijklmnop\n");
    write("admin: {tokenFile: token}");

    assertThat(OptionsFile.read(file).token()).isEqualTo("abcdefghijklmnop");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "xsd: {}|1:1: xsd: unknown option (expected: one of admin, http, https, ingressClass, rollout,"
            + " source, state, xds)",
        "xds: {adress: a:1}|1:7: xds.adress: unknown option (expected: address)",
        "xds: 18000|1:6: xds: not a mapping (expected: address)",
        "xds: {address: 18000}|1:16: xds.address: not a string (expected: a string; put it in"
            + " quotes)",
        "xds: {address: localhost}|1:16: xds.address: 'localhost' (expected: HOST:PORT)",
        "xds: {address: 'localhost:99999'}|1:16: xds.address: '99999' (expected: a port from 0 to"
            + " 65535)",
        "admin: {token: short}|1:16: admin.token: 5 characters (expected: 16 to 512 of A-Z a-z 0-9"
            + " . _ ~ + / = -)",
        "admin: {token: 0123456789abcdef, tokenFile: x}|1:45: admin.tokenFile: set together with"
            + " admin.token (expected: only one of them)",
        "ingressClass: ' '|1:15: ingressClass: ' ' (expected: a name)",
        "- a|1:1: not a mapping (expected: one of admin, http, https, ingressClass, rollout, source,"
            + " state, xds)",
        "rollout: {disagreement: both}|1:25: rollout.disagreement: 'both' (expected: uniform or"
            + " per-class)",
      })
  void whatIsNotUnderstoodIsRefusedWithItsPlace(String content, String problem) throws IOException {
    write(content);

    assertThatThrownBy(() -> OptionsFile.read(file))
        .isInstanceOf(StartException.class)
        .hasMessage(file + ":" + problem);
  }

  @Test
  void allProblemsAreToldAtOnce() throws IOException {
    write("xds: {address: x}\nhttp: {port: 1}\n");

    assertThatThrownBy(() -> OptionsFile.read(file))
        .hasMessageContainingAll(":1:16: xds.address: 'x'", "; ", ":2:8: http.port: unknown");
  }

  @Test
  void aFileThatIsNotThereOrNoYamlIsNamed() throws IOException {
    assertThatThrownBy(() -> OptionsFile.read(file)).hasMessage(file + ": no such file");

    write("a: [");
    assertThatThrownBy(() -> OptionsFile.read(file)).hasMessageStartingWith(file + ":1:");
  }

  @Test
  void whatWasSaidFirstWins() {
    PartialOptions flags =
        new PartialOptions(
            null,
            null,
            new ListenAddress("a", 1),
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            ClusterOptions.none());
    PartialOptions inFile =
        new PartialOptions(
            Path.of("x"),
            null,
            new ListenAddress("b", 2),
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            ClusterOptions.none());

    PartialOptions both = flags.orElse(inFile);

    assertThat(both.xds()).isEqualTo(new ListenAddress("a", 1));
    assertThat(both.directory()).isEqualTo(Path.of("x"));
  }

  @Test
  void aClusterCanBeTheSource() throws Exception {
    write(
        """
        source:
          type: kubernetes
          kubernetes: {kubeconfig: admin.conf, context: staging, namespaces: "shop, web"}
        """);
    assertThat(OptionsFile.read(file).complete(Map.of("HOME", "/home/ann")).source())
        .isEqualTo(
            new SourceOptions.Cluster(
                List.of(directory.resolve("admin.conf")),
                "staging",
                new TreeSet<>(List.of("shop", "web"))));

    write("source: {type: kubernetes, directory: objects}");
    assertThatThrownBy(() -> OptionsFile.read(file).complete(Map.of("HOME", "/home/ann")))
        .hasMessageContaining("a directory together with --kubernetes");
    write("source: {directory: objects, kubernetes: {context: staging}}");
    assertThatThrownBy(() -> OptionsFile.read(file).complete(Map.of("HOME", "/home/ann")))
        .hasMessageContaining("options of a cluster without --kubernetes");
    write("source: {type: etcd}");
    assertThatThrownBy(() -> OptionsFile.read(file))
        .hasMessageContaining("'etcd' (expected: directory or kubernetes)");
  }

  @Test
  void inAPodTheClusterIsThePodsOwn() throws Exception {
    write("source: {type: kubernetes}");
    Map<String, String> pod = Map.of("KUBERNETES_SERVICE_HOST", "10.96.0.1", "HOME", "/");
    assertThat(OptionsFile.read(file).complete(pod).source())
        .isEqualTo(new SourceOptions.Cluster(List.of(), null, new TreeSet<>()));
  }

  @Test
  void thereIsNoDefaultForTheDirectory() {
    assertThatThrownBy(() -> PartialOptions.none().complete(Map.of()))
        .hasMessageStartingWith("no directory to serve");
  }

  private void write(String content) throws IOException {
    Files.writeString(file, content);
  }
}
