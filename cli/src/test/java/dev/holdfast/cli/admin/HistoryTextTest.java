// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import dev.holdfast.cli.output.Style;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How one thing that happened reads. */
class HistoryTextTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          generation 2 rejected by envoy 1.39.0 | A/b/c generation 2 rejected by envoy 1.39.0
          generation 21 is odd                  | A/b/c generation 2: generation 21 is odd
          it is odd                             | A/b/c generation 2: it is odd
          generation 2                          | A/b/c generation 2
          ''                                    | A/b/c generation 2
          """)
  void theGenerationIsToldOnce(String message, String text) {
    String entry =
        """
        {"at": "T", "kind": "REJECTED", "object": {"kind": "A", "namespace": "b", "name": "c"},
         "generation": 2, "message": "%s"}
        """
            .formatted(message);

    assertThat(HistoryText.lines(JsonParser.parseString(entry).getAsJsonObject(), 120, Style.PLAIN))
        .containsExactly("T  REJECTED            " + text);
  }
}
