// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RestartBackoffTest {
  private final RestartBackoff backoff = new RestartBackoff();

  @Test
  void aProcessThatDoesNotStartIsStartedEverMoreSlowly() {
    assertThat(pauses(9, false, Duration.ofMillis(100)))
        .containsExactly(100L, 200L, 400L, 800L, 1600L, 3200L, 5000L, 5000L, 5000L);
  }

  @Test
  void aProcessThatEndsSoonIsStartedAtOnceADozenTimes() {
    List<Long> pauses = pauses(20, true, Duration.ofSeconds(1));

    assertThat(pauses.subList(0, 12)).containsOnly(50L);
    assertThat(pauses.subList(12, 20))
        .containsExactly(100L, 200L, 400L, 800L, 1600L, 3200L, 5000L, 5000L);
  }

  @Test
  void aProcessThatWasWellForAWhileIsStartedAtOnce() {
    pauses(30, true, Duration.ofSeconds(1));

    assertThat(backoff.next(true, Duration.ofSeconds(20)).toMillis()).isEqualTo(50);
    assertThat(pauses(12, true, Duration.ofSeconds(1)).get(11)).isEqualTo(50);
  }

  private List<Long> pauses(int times, boolean wasReady, Duration lived) {
    List<Long> pauses = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      pauses.add(backoff.next(wasReady, lived).toMillis());
    }
    return pauses;
  }
}
