// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.files.ObjectReader;
import dev.holdfast.config.files.YamlReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The diff between the served and the newest spec. */
class SpecDiffTest {
  private static ConfigObject object(String kind, String body) {
    String yaml = "apiVersion: v1\nkind: " + kind + "\nmetadata: {name: a}\n" + body;
    return ObjectReader.read(
            YamlReader.read("test", yaml.getBytes(StandardCharsets.UTF_8)).documents().get(0))
        .objects()
        .get(0)
        .with(1, Instant.EPOCH);
  }

  private static List<String> diff(String served, String wanted) {
    return SpecDiff.of(object("HTTPProxy", served), object("HTTPProxy", wanted));
  }

  @Test
  void onlyLinesNearADifferenceAreShown() {
    assertThat(
            diff(
                "spec: {a: 1, b: 2, c: 3, d: 4, e: [x, y], f: 6, g: 7, h: 8, i: 9, j: 10}",
                "spec: {a: 1, b: 2, c: 3, d: 4, e: [x, z], f: 6, g: 7, h: 8, i: 9, j: 11}"))
        .containsExactly(
            "...",
            "   d: 4",
            "   e:",
            "   - x",
            "-  - y",
            "+  - z",
            "   f: 6",
            "   g: 7",
            "   h: 8",
            "   i: 9",
            "-  j: 10",
            "+  j: 11");
  }

  @Test
  void aGapIsMarked() {
    assertThat(
            diff(
                "spec: {a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8, i: 9, j: 10}",
                "spec: {a: 0, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8, i: 9, j: 0}"))
        .containsExactly(
            " spec:",
            "-  a: 1",
            "+  a: 0",
            "   b: 2",
            "   c: 3",
            "   d: 4",
            "...",
            "   g: 7",
            "   h: 8",
            "   i: 9",
            "-  j: 10",
            "+  j: 0");
  }

  @Test
  void multiLineStringsAreComparedLineByLine() {
    assertThat(diff("spec: {lua: \"one\\ntwo\\n\"}", "spec: {lua: \"one\\nthree\\n\"}"))
        .containsExactly(" spec:", "   lua: |", "     one", "-    two", "+    three");
  }

  @Test
  void ambiguousScalarsAreQuoted() {
    assertThat(diff("spec: {a: \"1\", b: \"true\"}", "spec: {a: 1, b: true}"))
        .containsExactly(" spec:", "-  a: \"1\"", "-  b: \"true\"", "+  a: 1", "+  b: true");
  }

  @Test
  void privateKeysAreNeverShown() {
    String key = "-----BEGIN PRIVATE KEY-----\\nabc\\n-----END PRIVATE KEY-----\\n";
    List<String> diff =
        diff(
            "spec: {a: 1, key: \"" + key + "\", tls: {private_key: {inline_string: geheim}}}",
            "spec: {a: 2, key: \"" + key + "\", tls: {private_key: {inline_string: geheim2}}}");

    assertThat(diff).contains("-  a: 1", "+  a: 2", "   key: [removed]");
    assertThat(String.join("\n", diff)).doesNotContain("abc", "geheim", "PRIVATE KEY");
    assertThat(
            SpecDiff.of(
                object("Secret", "data: {tls.key: b25l}"),
                object("Secret", "data: {tls.key: dHdv}")))
        .isEmpty();
  }

  @Test
  void equalOrUnservedSpecsHaveNoDiff() {
    ConfigObject object = object("HTTPProxy", "spec: {a: 1}");
    assertThat(SpecDiff.of(object, object)).isEmpty();
    assertThat(SpecDiff.of(null, object)).isEmpty();
  }

  @Test
  void longDiffIsTruncated() {
    List<String> many = new ArrayList<>(Collections.nCopies(5_000, "x"));
    many.replaceAll(unused -> "line " + many.size());
    List<String> diff = UnifiedDiff.of(List.of("a"), many);

    assertThat(diff).hasSize(101);
    assertThat(diff.get(100)).startsWith("... and ").endsWith(" more lines");
  }
}
