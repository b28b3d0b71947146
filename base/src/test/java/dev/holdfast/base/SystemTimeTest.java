// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SystemTimeTest {
  private static boolean hasThread() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals("holdfast-timer"));
  }

  private static void awaitNoThread() throws InterruptedException {
    while (hasThread()) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  @Test
  void theThreadEndsWhenThereAreNoTimersAndComesBackForTheNext() throws Exception {
    for (int i = 0; i < 2; i++) {
      CountDownLatch ran = new CountDownLatch(1);
      SystemTime.instance().schedule(Duration.ofMillis(1), ran::countDown);
      ran.await();
      awaitNoThread();
    }

    TimeSource.Timer cancelled = SystemTime.instance().schedule(Duration.ofDays(1), () -> {});
    assertThat(hasThread()).isTrue();
    cancelled.cancel();
    awaitNoThread();
  }

  @Test
  void aTimerThatIsFurtherAwayThanTheThreadIsPatientStillRuns() throws Exception {
    CountDownLatch ran = new CountDownLatch(1);
    SystemTime.instance().schedule(Duration.ofMillis(2500), ran::countDown);
    ran.await();
  }
}
