// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import dev.holdfast.cli.output.Style;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each thing that is wrong stands once in the list of problems. */
class ProblemListTest {
  private static List<String> lines(String message, String details) {
    return ProblemList.render(
        JsonParser.parseString(
                """
                {"items": [{"kind": "HTTPProxy", "namespace": "shop", "name": "api",
                  "severity": "problem", "reason": "Invalid", "message": "%s",
                  "details": [%s], "location": "api.yaml:2:1", "serving": "previous",
                  "servedGeneration": 3, "since": "2026-01-01T00:00:00Z"}]}
                """
                    .formatted(message, details))
            .getAsJsonObject(),
        Instant.parse("2026-01-01T00:00:02Z"),
        200,
        Style.PLAIN);
  }

  @Test
  void aSuggestionStandsWhereTheMessageNamesTheProblem() {
    assertThat(
            lines(
                "not valid: a: Service/shop/carrt does not exist; serving generation 3",
                "\"a: Service/shop/carrt does not exist (did you mean cart?)\", \"b: missing\""))
        .containsSubsequence(
            "    not valid: a: Service/shop/carrt does not exist (did you mean cart?); serving"
                + " generation 3",
            "    b: missing")
        .filteredOn(line -> line.contains("carrt"))
        .hasSize(1);
  }

  @Test
  void whatTheMessageSaysIsNotRepeated() {
    assertThat(lines("not valid: a: b", "\"a: b\""))
        .filteredOn(line -> line.contains("a: b"))
        .hasSize(1);
  }
}
