// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.Digest;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class YamlReaderTest {
  @Test
  void everyValueAndNameKnowsItsPlace() {
    Mapping root = (Mapping) one("# comment\nspec:\n  routes:\n    - host: a\n      port:   80\n");
    Mapping spec = (Mapping) value(root, "spec");
    Sequence routes = (Sequence) value(spec, "routes");
    Mapping route = (Mapping) routes.elements().get(0);

    assertThat(root.position()).hasToString("f.yaml:2:1");
    assertThat(spec.position()).hasToString("f.yaml:3:3");
    assertThat(routes.position()).hasToString("f.yaml:4:5");
    assertThat(route.position()).hasToString("f.yaml:4:7");
    assertThat(value(route, "port").position()).hasToString("f.yaml:5:15");
    assertThat(route.keyPosition("port")).hasToString("f.yaml:5:7");
  }

  @Test
  void columnsCountCharactersNotBytes() {
    Mapping root = (Mapping) one("{ä𝄞: b, c: d}\n");

    assertThat(root.keyPosition("c")).hasToString("f.yaml:1:9");
  }

  @Test
  void aFileHasAnyNumberOfDocuments() {
    Documents read = read("a: 1\n---\na: 2\n---\n---\n# only a comment\n---\na: 3\n...\n");

    assertThat(read.problems()).isEmpty();
    assertThat(read.documents()).hasSize(5);
    assertThat(read.documents().get(1).position()).hasToString("f.yaml:3:1");
    assertThat(read.documents().get(2)).isInstanceOf(Scalar.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  \n", "# nothing\n", "\uFEFF"})
  void aFileWithNothingInItHasNoDocuments(String text) {
    Documents read = read(text);

    assertThat(read.documents()).isEmpty();
    assertThat(read.problems()).isEmpty();
    assertThat(read.whole()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "yes",
        "no",
        "on",
        "off",
        "y",
        "1_000",
        "0b1",
        "12:30",
        "1e",
        "-",
        ".",
        "2026-01-01",
        "0o8"
      })
  void whatOlderYamlTookForSomethingElseIsAString(String text) {
    assertThat(scalar("v: " + (text.equals("-") ? "'-'" : text))).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "0,0",
    "-7,-7",
    "+7,7",
    "0644,644",
    "0o17,15",
    "0xFf,255",
    "9223372036854775807,9223372036854775807"
  })
  void wholeNumbersAreLongs(String text, long expected) {
    assertThat(scalar("v: " + text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "1.5,1.5",
    ".5,0.5",
    "1.,1",
    "1e3,1E+3",
    "-1.25E-2,-0.0125",
    "9223372036854775808,9223372036854775808"
  })
  void otherNumbersKeepEveryDigit(String text, String expected) {
    assertThat(scalar("v: " + text)).isEqualTo(new BigDecimal(expected));
  }

  @ParameterizedTest
  @ValueSource(strings = {"~", "null", "Null", "NULL", ""})
  void nothingIsNull(String text) {
    assertThat(scalar("v: " + text)).isNull();
  }

  @Test
  void booleansHaveThreeSpellings() {
    assertThat(scalar("v: true")).isEqualTo(true);
    assertThat(scalar("v: True")).isEqualTo(true);
    assertThat(scalar("v: FALSE")).isEqualTo(false);
    assertThat(scalar("v: tRue")).isEqualTo("tRue");
  }

  @Test
  void whatIsQuotedIsAString() {
    assertThat(scalar("v: '1'")).isEqualTo("1");
    assertThat(scalar("v: \"true\"")).isEqualTo("true");
    assertThat(scalar("v: |\n  1\n")).isEqualTo("1\n");
    assertThat(scalar("v: !!str 1")).isEqualTo("1");
    assertThat(scalar("v: ! 1")).isEqualTo("1");
  }

  @Test
  void aliasesStandForTheValueAndItsPlace() {
    Mapping root = (Mapping) one("a: &x {b: 1}\nc: *x\n");

    assertThat(value(root, "c")).isSameAs(value(root, "a"));
    assertThat(root.keyPosition("c")).hasToString("f.yaml:2:1");
  }

  @Test
  void jsonSaysTheSameAsYaml() {
    Documents json =
        YamlReader.read(
            "f.json",
            "{\n\t\"a\": [1, 2.5, \"x\\t\\u00e9\\/\\ud83d\\ude00\\\"\"],\n\t\"b\":\tnull\n}\n"
                .getBytes(StandardCharsets.UTF_8));

    assertThat(json.problems()).isEmpty();
    assertThat(json.documents()).hasSize(1);
    assertThat(Digest.of(json.documents().get(0)))
        .isEqualTo(Digest.of(one("b: ~\na:\n- 1\n- 2.50\n- \"x\\té/😀\\\"\"\n")));
    assertThat(((Mapping) json.documents().get(0)).keyPosition("b")).hasToString("f.json:3:2");
  }

  @Test
  void aBrokenDocumentLeavesTheOthersOfItsFile() {
    Documents read = read("a: 1\n---\nb: 1\nb: 2\n---\nc: 1\n");

    assertThat(read.documents()).hasSize(2);
    assertThat(read.whole()).isTrue();
    assertThat(read.problems())
        .extracting(LocatedProblem::toString)
        .containsExactly("f.yaml:4:1: b: duplicate key (expected: once; the first is in line 3)");
  }

  @Test
  void everyProblemOfADocumentIsTold() {
    Documents read = read("a:\n  x: 1\n  x: 2\n1: z\nb: [.inf]\n? [k]\n: v\nc: *nobody\n");

    assertThat(read.documents()).isEmpty();
    assertThat(read.problems())
        .extracting(LocatedProblem::toString)
        .containsExactly(
            "f.yaml:3:3: a.x: duplicate key (expected: once; the first is in line 2)",
            "f.yaml:4:1: key: 1 (expected: a string; put quotes around it if it is meant as one)",
            "f.yaml:5:5: b[0]: .inf (expected: a finite number)",
            "f.yaml:6:3: key: a collection (expected: a string; put quotes around it if it is meant"
                + " as one)",
            "f.yaml:8:4: c: alias: *nobody (expected: the name of an anchor whose value ends before"
                + " it)");
  }

  private static Documents read(String text) {
    return YamlReader.read("f.yaml", text.getBytes(StandardCharsets.UTF_8));
  }

  private static Value one(String text) {
    Documents read = read(text);
    assertThat(read.problems()).isEmpty();
    List<Value> documents = read.documents();
    assertThat(documents).hasSize(1);
    return documents.get(0);
  }

  private static @Nullable Object scalar(String text) {
    return ((Scalar) value((Mapping) one(text), "v")).value();
  }

  private static Value value(Mapping mapping, String name) {
    Value value = mapping.get(name);
    if (value == null) {
      throw new AssertionError(name + " is missing in " + mapping);
    }
    return value;
  }
}
