// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Loop;
import dev.holdfast.testkit.ManualExecutor;
import dev.holdfast.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Large requests take turns with everything else. */
class BulkLaneTest {
  private final ManualTime time = new ManualTime();
  private final ManualExecutor executor = new ManualExecutor();
  private final List<String> done = new ArrayList<>();
  private final Loop loop =
      new Loop(
          executor,
          e -> {
            throw new AssertionError(e);
          });
  private final BulkLane lane = new BulkLane(loop, time);

  @Test
  void eachIsFollowedByAPauseThreeTimesAsLong() {
    for (int i = 0; i < 3; i++) {
      int number = i;
      lane.add(
          () -> {
            done.add("large " + number);
            time.advance(Duration.ofMillis(100));
          });
    }
    loop.execute(() -> done.add("small"));
    executor.runAll();
    assertThat(done).containsExactly("large 0", "small");
    time.advance(Duration.ofMillis(299), executor::runAll);
    assertThat(done).hasSize(2);
    time.advance(Duration.ofMillis(1), executor::runAll);
    assertThat(done).containsExactly("large 0", "small", "large 1");
  }

  @Test
  void oneThatFailsDoesNotStopTheNext() {
    Loop tolerant = new Loop(executor, e -> done.add("failed"));
    BulkLane other = new BulkLane(tolerant, time);
    other.add(
        () -> {
          throw new IllegalStateException();
        });
    other.add(() -> done.add("next"));
    executor.runAll();
    time.advance(Duration.ofSeconds(1), executor::runAll);
    assertThat(done).containsExactly("failed", "next");
  }
}
