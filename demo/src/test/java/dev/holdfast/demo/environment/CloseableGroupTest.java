// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.testkit.ManualTime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whatever was started is ended, whenever that is asked for. */
class CloseableGroupTest {
  private final DemoClock clock = new DemoClock(new ManualTime());
  private final List<String> closed = new ArrayList<>();

  @Test
  void theLastComesFirstAndNothingIsLeft() throws IOException {
    CloseableGroup estate = CloseableGroup.create(clock);
    Path objects = estate.workspace().objects();
    estate.add(() -> closed.add("first"));
    estate.add(() -> closed.add("second"));

    estate.close();
    estate.close();

    assertThat(closed).containsExactly("second", "first");
    assertThat(objects.getParent()).doesNotExist();
  }

  @Test
  void whatIsAddedTooLateIsClosedAtOnceAndEndsTheBuilding() throws IOException {
    CloseableGroup estate = CloseableGroup.create(clock);
    estate.close();
    assertThatThrownBy(() -> estate.add(() -> closed.add("late")))
        .isInstanceOf(DemoStoppedException.class);
    assertThat(closed).containsExactly("late");
  }

  @Test
  void whoeverWaitsIsWoken() throws IOException {
    CloseableGroup.create(clock).close();
    clock.awaitStop();
    assertThatThrownBy(() -> clock.pause(Duration.ofDays(1)))
        .isInstanceOf(DemoStoppedException.class);
    assertThatThrownBy(() -> clock.await(() -> false)).isInstanceOf(DemoStoppedException.class);
  }

  @Test
  void whatCannotBeAskedIsNotSo() {
    int[] asked = {0};
    assertThat(
            clock.await(
                () -> {
                  if (asked[0]++ == 0) {
                    throw new IOException("away");
                  }
                  return true;
                }))
        .isTrue();
  }
}
