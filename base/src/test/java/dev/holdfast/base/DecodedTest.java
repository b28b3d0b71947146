// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.base.Problem.Kind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DecodedTest {
  private static final Problem PROBLEM = new Problem("port", Kind.INVALID, "too high");

  @Test
  void aValidOutcomeFoldsToItsValue() {
    Decoded<Integer> decoded = Decoded.valid("foo", 7);

    assertThat(decoded.name()).isEqualTo("foo");
    assertThat(
            decoded.<String>fold(
                good -> good.name() + "=" + good.value(), bad -> "bad " + bad.problems()))
        .isEqualTo("foo=7");
  }

  @Test
  void anInvalidOutcomeFoldsToItsProblems() {
    Decoded<Integer> decoded = Decoded.invalid("foo", List.of(PROBLEM));

    assertThat(decoded.name()).isEqualTo("foo");
    assertThat(
            decoded.<String>fold(
                good -> "good", bad -> bad.name() + ": " + Problems.describe(bad.problems())))
        .isEqualTo("foo: port: too high");
  }

  @Test
  void theNameOfSomethingInvalidMayBeUnknown() {
    assertThat(Decoded.invalid(null, List.of(PROBLEM)).name()).isNull();
  }

  @Test
  void invalidWithoutAProblemIsRefused() {
    assertThatThrownBy(() -> Decoded.invalid("foo", List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("problems: [] (expected: at least one)");
  }

  @Test
  void problemsAreCopied() {
    List<Problem> source = new ArrayList<>(List.of(PROBLEM));
    Decoded.Invalid<Integer> decoded = new Decoded.Invalid<>("foo", source);

    source.clear();

    assertThat(decoded.problems()).containsExactly(PROBLEM);
  }

  @Test
  void outcomesAreValues() {
    assertThat(Decoded.valid("foo", 7)).isEqualTo(Decoded.valid("foo", 7));
    assertThat(Decoded.valid("foo", 7)).isNotEqualTo(Decoded.valid("bar", 7));
    assertThat(Decoded.invalid("foo", List.of(PROBLEM)))
        .isEqualTo(Decoded.invalid("foo", List.of(PROBLEM)));
  }
}
