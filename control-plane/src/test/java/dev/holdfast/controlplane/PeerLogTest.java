// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The log lines about one proxy are limited. */
class PeerLogTest {
  private final ManualTime time = new ManualTime();
  private final List<String> lines = new ArrayList<>();
  private final PeerLog log = new PeerLog(time, Runnable::run, lines::add);

  @Test
  void whatIsLeftOutIsCounted() {
    for (int i = 0; i < 1000; i++) {
      log.log("loud", () -> "a line");
    }
    log.log("quiet", () -> "another line");

    assertThat(lines).hasSize(PeerLog.LINES_PER_MINUTE + 1).endsWith("another line");
    time.advance(Duration.ofMinutes(1), () -> {});
    assertThat(lines)
        .last()
        .isEqualTo("990 more lines about loud were left out in the last minute");
    log.log("loud", () -> "a new minute");
    assertThat(lines).last().isEqualTo("a new minute");
  }

  @Test
  void thousandsOfNamesShareOneAccount() {
    for (int i = 0; i < 10_000; i++) {
      log.log("node-" + i, () -> "a line");
    }

    assertThat(lines).hasSize(PeerLog.MAX_PEERS + PeerLog.LINES_PER_MINUTE);
    time.advance(Duration.ofMinutes(1), () -> {});
    assertThat(lines)
        .last()
        .isEqualTo("9790 more lines about other proxies were left out in the last minute");
  }

  @Test
  void aNameCannotForgeALine() {
    assertThat(PeerLog.name("a\nERROR b\u202e")).isEqualTo("a?ERROR b?");
    assertThat(PeerLog.name("x".repeat(10_000))).hasSize(131);
  }

  @Test
  void nothingIsLeftPendingAfterClose() {
    log.log("a", () -> "a line");
    log.close();
    assertThat(time.pending()).isEmpty();
  }
}
