// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.CapturedOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What can be asked of the demo. */
class DemoArgumentsTest {
  private final CapturedOutput captured = new CapturedOutput();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --no-envoy --fetch-envoy | --no-envoy and --fetch-envoy (expected: at most one of them)
          -o yaml                  | Invalid value for option '--output'
          --slow                   | Unknown option: '--slow'
          more                     | one argument too many
          """)
  void whatMakesNoSenseIsOneLine(String arguments, String complaint) {
    assertThat(captured.run(("demo " + arguments).split(" "))).isEqualTo(2);
    assertThat(captured.err()).contains(complaint).hasLineCount(1);
    assertThat(captured.out()).isEmpty();
  }

  @Test
  void helpSaysHowItEnds() {
    assertThat(captured.run("demo", "--help")).isZero();
    assertThat(captured.out()).contains("--keep", "--fast", "Exit codes: 0 every claim held");
  }
}
