// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import dev.holdfast.cli.output.Style;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wanted against what is served. */
class DiffTest {
  private final AdminFixture fixture = new AdminFixture();

  @AfterEach
  void stop() {
    fixture.close();
  }

  @Test
  void whatDiffersIsShownAndHasAnExitCodeOfItsOwn() {
    int exitCode = fixture.run("diff", "httpproxy/web");

    assertThat(fixture.captured.out())
        .isEqualTo(
            """
            HTTPProxy/shop/web: Rejected: bad \\u001b[31mlua
            --- HTTPProxy/shop/web generation 1 (live)
            +++ HTTPProxy/shop/web generation 2 (newest)
             spec:
            -  a: 1
            +  a: \\u001b[31m2
            """);
    assertThat(exitCode).isEqualTo(5);
  }

  @Test
  void whatIsTheSameIsSaidToBe() {
    int exitCode = fixture.run("diff", "HTTPProxy/blog/main");

    assertThat(fixture.captured.out())
        .isEqualTo("HTTPProxy/blog/main: no difference: generation 2 is live\n");
    assertThat(exitCode).isZero();
  }

  @Test
  void programsAreToldInTheirWords() {
    int exitCode = fixture.run("diff", "HTTPProxy/shop/web", "-o", "yaml");

    assertThat(fixture.captured.out())
        .startsWith(
            """
            kind: HTTPProxy
            namespace: shop
            name: web
            generation: 2
            servedGeneration: 1
            different: true
            reason: Rejected
            """)
        .contains(
            """
            diff:
            - ' spec:'
            - '-  a: 1'
            """);
    assertThat(exitCode).isEqualTo(5);
  }

  @Test
  void linesAreColouredByWhatTheyDo() {
    ObjectDiff difference =
        of("{'generation': 2, 'servedGeneration': 1, 'diff': ['-a', '+b', ' c']}");

    assertThat(difference.render(Style.COLOURED).subList(2, 5))
        .containsExactly("\u001b[31m-a\u001b[0m", "\u001b[32m+b\u001b[0m", " c");
  }

  @Test
  void whereNothingIsServedThatIsADifference() {
    ObjectDiff difference = of("{'generation': 2, 'servedGeneration': 0, 'diff': []}");

    assertThat(difference.isOne()).isTrue();
    assertThat(difference.render(Style.PLAIN).get(0))
        .endsWith(": not live: no generation is served (the newest is 2)");
  }

  @Test
  void ofASecretOnlyTheGenerationsAreTold() {
    ObjectDiff difference =
        of("{'kind': 'Secret', 'generation': 2, 'servedGeneration': 1, 'diff': []}");

    assertThat(difference.isOne()).isTrue();
    assertThat(difference.render(Style.PLAIN).get(0))
        .endsWith(": generation 1 is live, 2 is the newest (the content of a Secret is not shown)");
  }

  @Test
  void aNewGenerationThatSaysWhatIsServedIsNoDifference() {
    assertThat(of("{'generation': 3, 'servedGeneration': 1, 'diff': []}").isOne()).isFalse();
  }

  @Test
  void anObjectThatDoesNotExistIsAFailureAndNoDifference() {
    assertThat(fixture.run("diff", "HTTPProxy/shop/nobody")).isEqualTo(1);
    assertThat(fixture.captured.err()).contains("no such object");
  }

  private static final String INVALID =
      "{'type': 'Valid', 'status': 'False', 'message': 'web.yaml:3:1: no such field'}";

  private static String programmed(String status, String reason) {
    return "{'type': 'Programmed', 'status': '%s', 'reason': '%s', 'message': 'm'}"
        .formatted(status, reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1 | 1 | True/Programmed        | true  | none
          1 | 1 | Unknown/Pending        | true  | none
          2 | 1 | Unknown/Pending        | true  | Pending
          1 | 0 | Unknown/NoDataPlane    | true  | NoDataPlane
          1 | 1 | False/Invalid          | false | Invalid
          1 | 1 | False/Conflict         | false | Conflict
          2 | 1 | False/Invalid          | false | Invalid
          1 | 0 | False/InvalidNew       | false | InvalidNew
          1 | 1 | Unknown/NoDataPlane    | false | Invalid
          2 | 1 | False/Rejected         | true  | Rejected
          1 | 0 | False/DependencyRejected | true | DependencyRejected
          1 | 0 | False/NotReferenced    | true  | none
          """)
  void whatIsNotInForceIsListedWithItsReason(
      long generation, long served, String condition, boolean valid, String reason) {
    String[] parts = condition.split("/", -1);
    ObjectDiff difference =
        of(
            "{'generation': %d, 'servedGeneration': %d, 'diff': [], 'conditions': [%s%s]}"
                .formatted(
                    generation,
                    served,
                    programmed(parts[0], parts[1]),
                    valid ? "" : ", " + INVALID));

    boolean isListed = difference.isExpected() && difference.isIncomplete();
    assertThat(isListed ? difference.reason() : "none").isEqualTo(reason);
    assertThat(difference.isOne() || !isListed || served != generation).isTrue();
  }

  @Test
  void aGenerationOfWhichNotAllIsServedIsADifference() {
    ObjectDiff difference =
        of(
            "{'generation': 1, 'servedGeneration': 1, 'diff': [], 'conditions': [%s, %s]}"
                .formatted(programmed("False", "Invalid"), INVALID));

    assertThat(difference.isOne()).isTrue();
    assertThat(difference.render(Style.PLAIN).get(0))
        .endsWith(": generation 1 is live, but not all of it; Invalid: m");
  }

  @ParameterizedTest
  @CsvSource({
    "Deletion,False,true,true",
    "Source,False,true,false",
    "GrpcRoutes,False,false,false"
  })
  void whatIsServedMayNotBeWhatIsWritten(
      String type, String status, boolean differs, boolean isListed) {
    ObjectDiff difference =
        of(
            ("{'generation': 1, 'servedGeneration': 1, 'diff': [], 'conditions': [%s,"
                    + " {'type': '%s', 'status': '%s', 'reason': 'R', 'message': 'why'}]}")
                .formatted(programmed("True", "Programmed"), type, status));

    assertThat(difference.isOne()).isEqualTo(differs);
    assertThat(difference.isExpected() && difference.isIncomplete()).isEqualTo(isListed);
    assertThat(difference.render(Style.PLAIN).get(0))
        .endsWith(
            differs
                ? ": generation 1 is live, and not what is written; R: why"
                : ": no difference: generation 1 is live");
  }

  @Test
  void withoutAnObjectAllDifferencesAreListed() {
    int exitCode = fixture.run("diff");

    assertThat(fixture.captured.out())
        .contains("web ")
        .contains("Rejected")
        .contains("not read: odd.yaml:2:1: not YAML")
        .doesNotContain("blog");
    assertThat(exitCode).isEqualTo(5);

    assertThat(fixture.run("diff", "-o", "json")).isEqualTo(5);
    assertThat(fixture.captured.out()).contains("\"sourceProblems\"");
  }

  private static ObjectDiff of(String json) {
    return ObjectDiff.of(JsonParser.parseString(json).getAsJsonObject());
  }
}
