// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.decode;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import dev.holdfast.base.Problem;
import dev.holdfast.base.Problems;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegexesTest {
  private final Problems problems = new Problems();
  private final Regexes regexes = new Regexes();

  @Test
  void equalExpressionsOfAResourceAreCompiledOnce() {
    assertThat(regexes.compile("a+", problems)).isSameAs(regexes.compile("a+", problems));
    assertThat(problems.any()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x{1000}",
        "(x{100}){40}",
        "[{]{1000}",
        "[]{1000}]",
        "[^]{1000}]{3}",
        "[[:alpha:]]{5}",
        "\\x{1000}\\x{2000}\\x{3000}\\x{1000}\\x{2000}\\x{3000}",
        "\\pL{3}\\p{Greek}",
        "a{,5}{x}{",
        "\\{1000\\}",
        "/(v1|v2)/(?:[a-z0-9.-]+)/.*",
      })
  void ordinaryExpressionsFit(String regex) {
    assertThat(regexes.compile(regex, problems)).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(x{1000}){1000}",
        "((x{100}){100}){100}",
        "(((((((((x{10}){10}){10}){10}){10}){10}){10}){10}){10}){10}",
        "((((x{999}))))*((y{0,999}){999,}",
        "(?:(?:a?){1000}b){1000}",
        "([)]{1000}){1000}",
      })
  void expressionsThatBlowUpAreRejectedWithoutCompilingThem(String regex) {
    assertThat(regexes.compile(regex, problems)).isNull();
    assertThat(problems.list()).extracting(Problem::kind).containsExactly(Problem.Kind.UNSUPPORTED);
    assertThat(problems.list().get(0).message()).contains("too big once its repetitions");
  }

  @Test
  void estimateIsNeverBelowTheProgram() {
    for (String regex :
        new String[] {
          "x{50}",
          "(ab|c){7,30}",
          "[a-z]{3}x*y+z?",
          "(a(b(c){2}){3}){4}",
          "(?i)abc",
          "a{2,}",
          "(x?){20}",
          "^a$|\\bb\\b",
          "(?:a|b|c|d)*",
          ".{9}",
          "\\Qa.b\\E"
        }) {
      assertThat(RegexSize.of(regex).instructions())
          .as(regex)
          .isGreaterThanOrEqualTo(Pattern.compile(regex).programSize());
    }
  }

  @Test
  void groupsAreNotNestedTooDeep() {
    assertThat(regexes.compile("(".repeat(200) + ")".repeat(200), problems)).isNotNull();
    assertThat(regexes.compile("(".repeat(201) + ")".repeat(201), problems)).isNull();
    assertThat(problems.list()).hasSize(1);
  }

  @Test
  void lengthIsLimited() {
    assertThat(regexes.compile("a".repeat(4096), problems)).isNotNull();
    assertThat(regexes.compile("a".repeat(4097), problems)).isNull();
    assertThat(problems.list().get(0).message())
        .isEqualTo("a regular expression of 4097 characters (expected: at most 4096)");
  }

  @Test
  void allExpressionsOfAResourceShareABudget() {
    for (int i = 0; i < 500 && !problems.any(); i++) {
      regexes.compile(i + "x{1000}", problems);
    }

    assertThat(problems.list().get(0).message())
        .isEqualTo(
            "the regular expressions of this resource are too big together (expected: at most"
                + " 1000000 instructions)");
  }

  @Test
  void longExpressionsAreCutInTheError() {
    regexes.compile("(" + "é".repeat(1000), problems);

    assertThat(problems.list().get(0).message())
        .startsWith("\"(" + "é".repeat(119) + "...\"")
        .hasSizeLessThan(300);
  }
}
