// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.base;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Problem.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProblemsTest {
  private final Problems problems = new Problems();

  @Test
  void aFreshCollectorHoldsNothing() {
    assertThat(problems.any()).isFalse();
    assertThat(problems.count()).isZero();
    assertThat(problems.list()).isEmpty();
  }

  @Test
  void aProblemAtTheRootHasNoPath() {
    problems.invalid("not good");

    assertThat(problems.list()).containsExactly(new Problem("", Kind.INVALID, "not good"));
  }

  @Test
  void positionsAddUpToAFieldPath() {
    problems.at("virtual_hosts", 2).at("routes", 0).at("match").required("must be set");
    problems.at("metadata", "a.b").at("value").invalid("too long");

    assertThat(problems.list())
        .extracting(Problem::path)
        .containsExactly("virtual_hosts[2].routes[0].match", "metadata[\"a.b\"].value");
  }

  @Test
  void eachSortOfProblemKeepsItsKind() {
    problems.required("a");
    problems.invalid("b");
    problems.unsupported("c");
    problems.undecodable("d");

    assertThat(problems.list())
        .extracting(Problem::kind)
        .containsExactly(Kind.REQUIRED, Kind.INVALID, Kind.UNSUPPORTED, Kind.UNDECODABLE);
  }

  @Test
  void allPositionsShareOneListInTheOrderOfFinding() {
    Problems first = problems.at("a");
    Problems second = problems.at("b");

    second.invalid("1");
    first.invalid("2");
    second.invalid("3");

    assertThat(problems.list()).extracting(Problem::path).containsExactly("b", "a", "b");
    assertThat(first.list()).isEqualTo(problems.list());
    assertThat(first.any()).isTrue();
    assertThat(second.count()).isEqualTo(3);
  }

  @Test
  void theListIsACopyOfTheMoment() {
    problems.invalid("early");
    List<Problem> then = problems.list();

    problems.invalid("late");

    assertThat(then).hasSize(1);
    assertThat(problems.list()).hasSize(2);
  }

  @Test
  void descriptionIsOneLineInOrder() {
    problems.invalid("whole thing is odd");
    problems.at("name").required("must be set");

    assertThat(Problems.describe(problems.list()))
        .isEqualTo("whole thing is odd; name: must be set");
    assertThat(Problems.describe(List.of())).isEmpty();
  }
}
