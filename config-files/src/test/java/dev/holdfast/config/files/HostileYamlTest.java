// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Problem;
import dev.holdfast.config.LocatedProblem;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Input that is broken or meant to hurt ends in a problem with a place, soon. */
@Timeout(60)
class HostileYamlTest {
  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      quoteCharacter = '\u00a7',
      value = {
        "a:|  b: 1|\tc: 2| => 3:1: a tab in the indentation (expected: spaces)",
        "a:|   b: 1|  c: 2| => 3:3: wrong indentation: 2 spaces (expected: 0 or 3, as in the lines above)",
        "a:|  b: x|   c: 2| => 3:5: wrong indentation: 3 spaces (expected: 0 or 2, as in the lines above)",
        "a:|  b: []|    c: 2| => 3:5: wrong indentation: 4 spaces (expected: 0 or 2, as in the lines above)",
        "a:|  # note|  - b: 1|    c: 2|   d: 2| => 5:4: wrong indentation: 3 spaces (expected: 0 or 2 or 4, as in the lines above)",
        "a: |  - b: 1| - c: 2| => 3:2: wrong indentation: 1 spaces (expected: 0 or 2 or 4, as in the lines above)",
        "- a|b: 1| => 2:1: a key among the elements of a list (expected: \"- \" before it, or more or fewer spaces)",
        "a: 1|b|c: 2| => 2:1: a line without a colon (expected: KEY: VALUE)",
        "a: \"x|b: 2| => 1:4: a quote that is never closed",
        "a: [1, 2|b: 3| => 2:2: after the [ in line 1, column 4, unexpected : (expected: a comma, or ])",
        "a: {b: 1|c: 3| => 2:2: after the { in line 1, column 4, unexpected : (expected: a comma, or })",
        "a: b: c| => 1:5: a second colon in one line (expected: quotes around a text that contains \": \")",
        "a: 'x' y| => 1:8: a text after the end of a value (expected: one value, in quotes as a whole)",
        "a: @x| => 1:4: a text that begins with @ (expected: the text in quotes)",
        "fqdn: *.example.com| => 1:8: a text that begins with * (expected: the text in quotes)",
      })
  void commonMistakesAreToldInPlainWordsWithTheirPlace(String text, String message) {
    int place = message.indexOf(": ");

    assertThat(only(text.replace('|', '\n')))
        .isEqualTo(
            "f.yaml:"
                + message.substring(0, place)
                + ": not YAML: "
                + message.substring(place + 2));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a: [1, 2",
        "a: {b: c",
        "a: \"never closed",
        "a: b: c",
        "a: 1\n- b",
        "a: @b",
        "a: `b`",
        "&a &b c",
        "}",
        "--- |x\n a",
        "\"\\ud800\": \"\\q\"",
      })
  void whatIsNotYamlIsToldOnceWithItsPlace(String text) {
    Documents read = read(text);

    assertThat(read.whole()).isFalse();
    assertThat(read.problems()).hasSize(1);
    LocatedProblem problem = read.problems().get(0);
    assertThat(problem.problem().kind()).isEqualTo(Problem.Kind.UNDECODABLE);
    assertThat(problem.position().line()).isPositive();
    assertThat(problem.problem().message()).startsWith("not YAML: ").doesNotContain("\n");
  }

  @Test
  void aVersionOfYamlThatDoesNotExistIsTold() {
    assertThat(only("%YAML 3.0\n---\na")).startsWith("f.yaml").contains("not YAML: ");
  }

  @Test
  void aLargeFileIsReadSoon() {
    String document =
        "---\napiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec:\n- description: a service of some sort that listens on a port\n  port: 80\n";

    assertThat(read(document.repeat(YamlReader.MOST_BYTES / 2 / document.length())).problems())
        .isEmpty();
    assertThat(read("a: [" + "b, ".repeat(400_000) + "]").problems()).isEmpty();
  }

  @Test
  void documentsBeforeABreakAreKeptAndTheFileIsNotWhole() {
    Documents read = read("a: 1\n---\nb: [\n");

    assertThat(read.documents()).hasSize(1);
    assertThat(read.whole()).isFalse();
  }

  @Test
  void aBillionLaughsAreRefused() {
    StringBuilder text =
        new StringBuilder("a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n");
    for (int i = 1; i < 12; i++) {
      String alias = "*a" + (i - 1);
      text.append("a" + i + ": &a" + i + " [" + (alias + ", ").repeat(9) + alias + "]\n");
    }

    assertThat(only(text.toString())).contains("values: more than 1000000 with aliases");
  }

  @Test
  void aliasesAreExpandedAsFarAsTheLimit() {
    String text = "a: &a [" + "x, ".repeat(999) + "x]\nb: [" + "*a, ".repeat(900) + "*a]\n";

    assertThat(read(text).problems()).isEmpty();
    assertThat(read(text.replace("b: [", "b: [" + "*a, ".repeat(100))).problems()).hasSize(1);
  }

  @Test
  void aliasesCannotBuildDepthOutOfFlatDocuments() {
    StringBuilder text = new StringBuilder("a0: &a0 x\n");
    for (int i = 1; i <= 100; i++) {
      text.append("a" + i + ": &a" + i + " [*a" + (i - 1) + "]\n");
    }

    assertThat(only(text.toString()))
        .isEqualTo(
            "f.yaml:100:12: depth: more than 100 with aliases (expected: values nested less"
                + " deeply)");
  }

  @Test
  void aValueCannotContainItself() {
    assertThat(only("a: &a [1, *a]\n")).startsWith("f.yaml:1:11: a[1]: alias: *a (expected:");
  }

  @Test
  void anchorsEndWithTheirDocument() {
    assertThat(only("a: &x 1\n---\nb: *x\n")).startsWith("f.yaml:3:4: b: alias: *x (expected:");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[", "{a: ", "- ", "? "})
  void depthIsLimitedHoweverItIsMade(String opening) {
    assertThat(only(opening.repeat(100_000))).contains("(expected: ");
  }

  @Test
  void depthIsAllowedUpToTheLimit() {
    assertThat(read("[".repeat(100) + "]".repeat(100)).problems()).isEmpty();
    assertThat(read("[".repeat(101) + "]".repeat(101)).problems()).hasSize(1);
  }

  @Test
  void sizeIsLimited() {
    byte[] content = new byte[YamlReader.MOST_BYTES + 1];
    Arrays.fill(content, (byte) '#');

    assertThat(YamlReader.read("f.yaml", content).problems())
        .extracting(LocatedProblem::toString)
        .containsExactly("f.yaml: size: 8388609 bytes (expected: at most 8388608)");
    assertThat(YamlReader.read("f.yaml", Arrays.copyOf(content, 8388608)).problems()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"9", "1.", "0x"})
  void endlessNumbersAreRefusedAtOnce(String start) {
    assertThat(only("v: " + start + "9".repeat(4_000_000)))
        .startsWith("f.yaml:1:4: v: number: ")
        .contains("put quotes around it")
        .hasSizeLessThan(400);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e999999999", "1e-999999999", "1e99999999999999", "-.inf", ".NaN"})
  void numbersThatCannotBeComputedWithAreRefused(String number) {
    assertThat(only("v: " + number)).startsWith("f.yaml:1:4: v: ").contains("(expected:");
  }

  @Test
  void bytesThatAreNotTextArePointedAt() {
    byte[] content = "a: b\nc: é?\n".getBytes(StandardCharsets.UTF_8);
    content[content.length - 2] = (byte) 0xff;

    assertThat(YamlReader.read("f.yaml", content).problems())
        .extracting(LocatedProblem::toString)
        .containsExactly("f.yaml:2:5: bytes that are not UTF-8 (expected: text in UTF-8)");
  }

  @Test
  void aCharacterCutInHalfAtTheEndIsPointedAt() {
    assertThat(YamlReader.read("f.yaml", new byte[] {'a', (byte) 0xc3}).problems())
        .extracting(LocatedProblem::toString)
        .containsExactly("f.yaml:1:2: bytes that are not UTF-8 (expected: text in UTF-8)");
  }

  @Test
  void charactersThatCannotBePrintedArePointedAt() {
    assertThat(only("a: b\r\nc:\rd: \u0000"))
        .isEqualTo("f.yaml:3:4: character U+0000 (expected: printable characters only)");
    assertThat(only("\u0007")).startsWith("f.yaml:1:1: character U+0007");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "!!binary aGk=",
        "!java.lang.Runtime x",
        "!!int abc",
        "!!set {a}",
        "!!timestamp 2026-01-01"
      })
  void tagsThatMakeSomethingElseAreRefused(String value) {
    assertThat(only("v: " + value)).startsWith("f.yaml:1:4: v: tag: ").contains("(expected:");
  }

  @Test
  void mergeKeysAreRefusedNotIgnored() {
    assertThat(only("a: &a {x: 1}\nb:\n  <<: *a\n  y: 2\n"))
        .startsWith("f.yaml:3:3: b: merge key: <<");
  }

  @Test
  void aNameThatCannotBeShownIsEscapedAndCut() {
    String key = "\"\\e[31m\u202e" + "k".repeat(500) + "\"";

    assertThat(only("{" + key + ": 1, " + key + ": 2}"))
        .contains("[\"\\u001b[31m\\u202ekkk")
        .contains("...\"]")
        .hasSizeLessThan(250);
  }

  @Test
  void aFileFullOfProblemsIsToldInPart() {
    Documents read = read("a: 1\n".repeat(300));

    assertThat(read.documents()).isEmpty();
    assertThat(read.problems()).hasSize(101);
    assertThat(read.problems().get(100))
        .hasToString("f.yaml:102:1: 199 more problems (fix the ones listed first)");
  }

  @Test
  void anyMutationOfAFileEndsInValuesOrProblems() {
    byte[] original =
        """
        apiVersion: v1
        kind: Service
        metadata:
          name: &n a
          labels: {x: 'y', z: "w"}
        spec:
          ports:
          - description: a service of some sort that listens on a port\n  port: 80 # web
            name: *n
        ---
        kind: |
          text
        """
            .getBytes(StandardCharsets.UTF_8);
    Random random = new Random(7);
    for (int round = 0; round < 5_000; round++) {
      byte[] mutated = original.clone();
      for (int i = random.nextInt(4); i >= 0; i--) {
        mutated[random.nextInt(mutated.length)] =
            random.nextBoolean()
                ? (byte) random.nextInt(256)
                : original[random.nextInt(original.length)];
      }
      Documents read =
          YamlReader.read("f.yaml", Arrays.copyOf(mutated, 1 + random.nextInt(mutated.length)));
      assertThat(read.whole() || !read.problems().isEmpty()).isTrue();
      read.documents().forEach(ObjectReader::read);
    }
  }

  private static Documents read(String text) {
    return YamlReader.read("f.yaml", text.getBytes(StandardCharsets.UTF_8));
  }

  private static String only(String text) {
    Documents read = read(text);
    assertThat(read.problems()).hasSize(1);
    return read.problems().get(0).toString();
  }
}
