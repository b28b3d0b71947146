// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.controlplane.log.LogArea;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogOptionsTest {
  @Test
  void areasHaveLevelsOfTheirOwn() {
    LogOptions.Levels levels = LogOptions.levels("warn, proxies=debug,rollout=off");

    assertThat(levels.others()).isEqualTo(LogOptions.Level.WARN);
    assertThat(levels.byArea())
        .containsEntry(LogArea.PROXIES, LogOptions.Level.DEBUG)
        .containsEntry(LogArea.ROLLOUT, LogOptions.Level.OFF)
        .hasSize(2);
    assertThat(LogOptions.levels("state=error").others()).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          loud            | 'loud' (expected: one of debug, info, warn, error, off)
          proxys=debug    | 'proxys' (expected: one of admin, leader, objects, proxies, rollout, server, source, state)
          proxies=        | '' (expected: one of debug, info, warn, error, off)
          warn,info       | 'info' (expected: one level for all areas, then AREA=LEVEL)
          state=off,state=warn | 'state' twice (expected: once)
          """)
  void whatIsNotUnderstoodIsNamed(String text, String problem) {
    assertThatThrownBy(() -> LogOptions.levels(text)).hasMessage(problem);
  }

  @Test
  void aFormatIsTextOrJson() {
    assertThat(LogOptions.format("json")).isEqualTo(LogOptions.Format.JSON);
    assertThatThrownBy(() -> LogOptions.format("xml"))
        .hasMessage("'xml' (expected: one of text, json)");
  }
}
