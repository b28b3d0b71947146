// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The log lines about one proxy are limited. */
class LimitedLogTest {
  private final ManualTime time = new ManualTime();
  private final List<String> lines = new ArrayList<>();
  private final LimitedLog log =
      new LimitedLog(time, Runnable::run, line -> lines.add(line.text()));

  private static LogLine line(String text) {
    return LogArea.PROXIES.warn("rejected").text(text);
  }

  @Test
  void whatIsLeftOutIsCounted() {
    for (int i = 0; i < 1000; i++) {
      log.log("loud", () -> line("a line"));
    }
    log.log("quiet", () -> line("another line"));

    assertThat(lines).hasSize(LimitedLog.LINES_PER_MINUTE + 1).endsWith("another line");
    time.advance(Duration.ofMinutes(1), () -> {});
    assertThat(lines)
        .last()
        .isEqualTo("990 more lines about loud were left out in the last minute");
    log.log("loud", () -> line("a new minute"));
    assertThat(lines).last().isEqualTo("a new minute");
  }

  @Test
  void thousandsOfNamesShareOneAccount() {
    for (int i = 0; i < 10_000; i++) {
      log.log("node-" + i, () -> line("a line"));
    }

    assertThat(lines).hasSize(LimitedLog.MAX_PEERS + LimitedLog.LINES_PER_MINUTE);
    time.advance(Duration.ofMinutes(1), () -> {});
    assertThat(lines)
        .last()
        .isEqualTo("9790 more lines about other proxies were left out in the last minute");
  }

  @Test
  void aNameCannotForgeALine() {
    assertThat(LimitedLog.name("a\nERROR b\u202e")).isEqualTo("a?ERROR b?");
    assertThat(LimitedLog.name("x".repeat(10_000))).hasSize(131);
  }

  @Test
  void nothingIsLeftPendingAfterClose() {
    log.log("a", () -> line("a line"));
    log.close();
    assertThat(time.pending()).isEmpty();
  }
}
