// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a library may write because of a peer. */
class LineLimitTest {
  private final ManualTime time = new ManualTime();
  private final LineLimit limit = new LineLimit(time);

  private List<String> flood(String logger, int lines) {
    List<String> logged = new ArrayList<>();
    for (int i = 0; i < lines; i++) {
      LineLimit.Verdict verdict = limit.count(logger);
      if (verdict.isLogged()) {
        logged.add(i + verdict.note());
      }
    }
    return logged;
  }

  @Test
  void aFloodIsAFewLinesAMinuteAndTheRestIsCounted() {
    List<String> first = flood("netty", 1_000);
    assertThat(first).hasSize(LineLimit.LINES_PER_MINUTE).startsWith("0", "1");
    assertThat(first.get(9))
        .isEqualTo("9 (more lines of this logger within a minute are left out)");

    time.advance(Duration.ofSeconds(59));
    assertThat(flood("netty", 1)).isEmpty();
    time.advance(Duration.ofSeconds(1));

    assertThat(flood("netty", 2))
        .containsExactly("0 (991 lines of this logger were left out before)", "1");
  }

  @Test
  void oneLoggerDoesNotSilenceAnother() {
    flood("netty", 1_000);
    assertThat(flood("transport", 1)).containsExactly("0");
  }
}
