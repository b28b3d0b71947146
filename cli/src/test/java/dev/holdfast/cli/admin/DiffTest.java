// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import dev.holdfast.cli.output.Style;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

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
            --- HTTPProxy/shop/web generation 1, served
            +++ HTTPProxy/shop/web generation 2, wanted
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
        .isEqualTo("HTTPProxy/blog/main: what is wanted is served (generation 2)\n");
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
        .endsWith(": nothing is served of it (generation 2 is wanted)");
  }

  @Test
  void ofASecretOnlyTheGenerationsAreTold() {
    ObjectDiff difference =
        of("{'kind': 'Secret', 'generation': 2, 'servedGeneration': 1, 'diff': []}");

    assertThat(difference.isOne()).isTrue();
    assertThat(difference.render(Style.PLAIN).get(0))
        .endsWith(": generation 1 is served, 2 is wanted; it is not shown how they differ");
  }

  @Test
  void aNewGenerationThatSaysWhatIsServedIsNoDifference() {
    assertThat(of("{'generation': 3, 'servedGeneration': 1, 'diff': []}").isOne()).isFalse();
  }

  @Test
  void anObjectThatDoesNotExistIsAFailureAndNoDifference() {
    assertThat(fixture.run("diff", "HTTPProxy/shop/nobody")).isEqualTo(1);
    assertThat(fixture.captured.err()).contains("there is no such object");
  }

  private static ObjectDiff of(String json) {
    return ObjectDiff.of(JsonParser.parseString(json).getAsJsonObject());
  }
}
