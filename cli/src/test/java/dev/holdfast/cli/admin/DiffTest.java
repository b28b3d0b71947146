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
        .endsWith(": not live: no proxy runs any generation (the newest is 2)");
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

  private static ObjectDiff of(String json) {
    return ObjectDiff.of(JsonParser.parseString(json).getAsJsonObject());
  }
}
