// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.files.FileSet;
import dev.holdfast.controlplane.translate.TranslationOptions;
import dev.holdfast.server.check.Judgement;
import dev.holdfast.server.check.ProbeReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Verdicts of proxies become findings at places in files. */
class FindingsTest {
  private static final ObjectKey POLICY = new ObjectKey("ExtensionPolicy", "default", "p");
  private static final ObjectKey HOST = new ObjectKey("HTTPProxy", "default", "h");
  private static final String TREE =
      """
      apiVersion: v1
      kind: Service
      metadata: {name: s}
      spec: {ports: [{port: 80}]}
      ---
      apiVersion: projectcontour.io/v1
      kind: HTTPProxy
      metadata: {name: h}
      spec:
        virtualhost: {fqdn: h.example.com}
        routes:
        - services: [{name: s, port: 80}]
      ---
      apiVersion: holdfast.dev/v1alpha1
      kind: ExtensionPolicy
      metadata: {name: p}
      spec:
        targetRef: {name: h}
        perRoute:
        - name: envoy.filters.http.lua
          typedConfig:
            "@type": type.googleapis.com/envoy.extensions.filters.http.lua.v3.LuaPerRoute
            source_code: {inline_string: this is no script}
      """;

  @TempDir Path directory;
  private ObjectTree tree = ObjectTree.EMPTY;

  @BeforeEach
  void read() throws IOException {
    tree = tree(TREE, ObjectTree.EMPTY);
  }

  private ObjectTree tree(String text, ObjectTree before) throws IOException {
    Path file = directory.resolve("a.yaml");
    Files.writeString(file, text);
    return ObjectTree.of(FileSet.read(List.of(file)), before, TranslationOptions.defaults());
  }

  private static Judgement judgement(Judgement.Kind kind, String message) {
    return new Judgement(
        new TreeMap<>(
            Map.of(POLICY, new Judgement.Outcome(kind, "Reason", "RouteConfiguration r", message))),
        true);
  }

  private static Findings.Verdicts verdicts(String proxy, Judgement now) {
    return new Findings.Verdicts(proxy, null, ProbeReport.NONE, now, ProbeReport.NONE);
  }

  @Test
  void theFieldThatIsQuotedIsTheBlamedOne() {
    List<Finding> findings =
        Findings.of(
            ObjectTree.EMPTY,
            tree,
            List.of(
                verdicts(
                    "envoy 1",
                    judgement(Judgement.Kind.REFUSED, "[string \"this is no script\"]:1: '='"))));

    assertThat(findings).hasSize(1);
    assertThat(findings.get(0).field())
        .isEqualTo("spec.perRoute[0].typedConfig.source_code.inline_string");
    assertThat(findings.get(0).position().line()).isEqualTo(23);
  }

  @Test
  void proxiesThatSayTheSameSayItOnce() {
    List<Finding> findings =
        Findings.of(
            ObjectTree.EMPTY,
            tree,
            List.of(
                verdicts("envoy 1", judgement(Judgement.Kind.DIED, "exit")),
                verdicts("envoy 2", judgement(Judgement.Kind.DIED, "exit")),
                verdicts("envoy 3", judgement(Judgement.Kind.ACCEPTED, ""))));

    assertThat(findings).hasSize(1);
    assertThat(findings.get(0).proxies()).containsExactly("envoy 1", "envoy 2");
    assertThat(findings.get(0).severity()).isEqualTo(Finding.Severity.ERROR);
  }

  @Test
  void whatWasBadBeforeIsKnown() {
    List<Finding> findings =
        Findings.of(
            tree,
            tree,
            List.of(
                new Findings.Verdicts(
                    "envoy 1",
                    judgement(Judgement.Kind.REFUSED, "x"),
                    ProbeReport.NONE,
                    judgement(Judgement.Kind.DIED, "y"),
                    ProbeReport.NONE),
                new Findings.Verdicts(
                    "envoy 2",
                    judgement(Judgement.Kind.ACCEPTED, ""),
                    ProbeReport.NONE,
                    judgement(Judgement.Kind.DIED, "y"),
                    ProbeReport.NONE)));

    assertThat(findings)
        .extracting(Finding::severity)
        .containsExactly(Finding.Severity.KNOWN, Finding.Severity.ERROR);
  }

  @Test
  void anEditIsAnotherGenerationAndAMoveIsNot() throws IOException {
    ObjectTree moved = tree("---\n" + TREE, tree);
    ObjectTree edited = tree(TREE.replace("no script", "a script"), tree);

    assertThat(generation(moved, POLICY)).isEqualTo(1);
    assertThat(generation(edited, POLICY)).isEqualTo(2);
    assertThat(generation(edited, HOST)).isEqualTo(1);
  }

  private static long generation(ObjectTree tree, ObjectKey key) {
    ConfigObject object = tree.objects().get(key);
    return object == null ? 0 : object.generation();
  }

  @Test
  void aProbeIsBlamedOnItsRoute() {
    ProbeReport probes =
        new ProbeReport(
            List.of(
                new ProbeReport.Finding(
                    ProbeReport.Kind.FAILED, HOST, "spec.routes[0]", "GET http://h/: 500"),
                new ProbeReport.Finding(
                    ProbeReport.Kind.NOT_PROBED, HOST, "spec.nowhere[3]", "why")),
            1,
            true);
    List<Finding> findings =
        Findings.of(
            ObjectTree.EMPTY,
            tree,
            List.of(
                new Findings.Verdicts(
                    "envoy 1",
                    null,
                    ProbeReport.NONE,
                    judgement(Judgement.Kind.ACCEPTED, ""),
                    probes)));

    assertThat(findings.get(0).reason()).isEqualTo("ProbeFailed");
    assertThat(findings.get(0).position().line()).isEqualTo(12);
    assertThat(findings.get(1).severity()).isEqualTo(Finding.Severity.WARNING);
    assertThat(findings.get(1).field()).isEqualTo("spec");
  }
}
