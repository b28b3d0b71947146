// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The loop on a pool: many threads submit, the pool's threads take turns. */
class LoopThreadsTest {
  private static final int SUBMITTERS = 4;
  private static final int TASKS = 20_000;

  private final ExecutorService pool = Executors.newFixedThreadPool(3);
  private final ExecutorService submitters = Executors.newFixedThreadPool(SUBMITTERS);

  @AfterEach
  void stopThreads() {
    pool.shutdownNow();
    submitters.shutdownNow();
  }

  @Test
  void stateOfTheLoopNeedsNoLockAndEachSubmittersOrderIsKept() throws InterruptedException {
    List<Throwable> uncaught = new ArrayList<>();
    Loop loop = new Loop(pool, uncaught::add);
    CountDownLatch done = new CountDownLatch(SUBMITTERS * TASKS);
    // Plain fields on purpose: a lost update or a stale read would show.
    int[] count = {0};
    int[] last = new int[SUBMITTERS];
    int[] outOfOrder = {0};

    for (int s = 0; s < SUBMITTERS; s++) {
      int submitter = s;
      submitters.execute(
          () -> {
            for (int i = 1; i <= TASKS; i++) {
              int number = i;
              loop.execute(
                  () -> {
                    count[0]++;
                    if (last[submitter] + 1 != number) {
                      outOfOrder[0]++;
                    }
                    last[submitter] = number;
                    done.countDown();
                  });
            }
          });
    }

    assertThat(done.await(30, TimeUnit.SECONDS)).as("all tasks ran").isTrue();
    assertThat(count[0]).isEqualTo(SUBMITTERS * TASKS);
    assertThat(outOfOrder[0]).isZero();
    assertThat(uncaught).isEmpty();
  }
}
