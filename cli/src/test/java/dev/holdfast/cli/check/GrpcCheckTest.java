// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.CapturedOutput;
import dev.holdfast.config.files.FileSet;
import dev.holdfast.controlplane.translate.TranslationOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rules of gRPC clients, which need no Envoy. */
class GrpcCheckTest {
  private static final String SERVICE =
      """
      apiVersion: v1
      kind: Service
      metadata: {name: s}
      spec: {ports: [{port: 80}]}
      ---
      """;

  @TempDir Path directory;

  private Path write(String name, String routes) throws IOException {
    Path file = directory.resolve(name);
    Files.writeString(
        file,
        SERVICE
            + """
            apiVersion: projectcontour.io/v1
            kind: HTTPProxy
            metadata: {name: h}
            spec:
              virtualhost: {fqdn: h.example.com}
              routes:
            """
            + routes);
    return file;
  }

  @Test
  void routesThatClientsCannotUseAreFound() throws IOException {
    Path file =
        write(
            "a.yaml",
            """
              - conditions: [{prefix: /}]
                services: [{name: s, port: 80}]
              - conditions: [{prefix: /old}]
                requestRedirectPolicy: {path: /new}
            """);
    ObjectTree tree =
        ObjectTree.of(FileSet.read(List.of(file)), ObjectTree.EMPTY, TranslationOptions.defaults());

    List<Finding> findings = GrpcCheck.of(tree, TranslationOptions.defaults());

    assertThat(findings).hasSize(1);
    assertThat(findings.get(0).reason()).isEqualTo("GrpcUnavailable");
    assertThat(findings.get(0).field()).isEqualTo("spec.routes[1]");
    assertThat(findings.get(0).position().line()).isEqualTo(14);
    assertThat(Findings.news(findings, findings))
        .extracting(Finding::severity)
        .containsExactly(Finding.Severity.KNOWN);
  }

  @Test
  void withoutAnEnvoyOnlyTheseRulesJudge() throws IOException {
    Path file =
        write(
            "good.yaml",
            """
              - conditions: [{prefix: /}]
                services: [{name: s, port: 80}]
            """);
    CapturedOutput captured = new CapturedOutput();

    int exitCode = captured.run(Map.of("PATH", "/nowhere"), "check", "--grpc", file.toString());

    assertThat(captured.err()).isEmpty();
    assertThat(captured.out())
        .startsWith("2 objects, judged by the rules of gRPC clients: none is bad (");
    assertThat(exitCode).isZero();
  }
}
