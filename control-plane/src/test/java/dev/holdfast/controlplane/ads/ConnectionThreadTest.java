// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.ManualExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** One task per turn of a thread. */
final class ConnectionThreadTest {
  private final ManualExecutor thread = new ManualExecutor();
  private final ConnectionThread turns = new ConnectionThread(thread);
  private final List<String> done = new ArrayList<>();

  @Test
  void whatATaskSchedulesComesBeforeTheNextTask() {
    for (String name : List.of("first", "second", "third")) {
      turns.execute(
          () -> {
            done.add("write " + name);
            thread.execute(() -> done.add("flush " + name));
          });
    }
    assertThat(thread.pending()).isEqualTo(1);
    thread.runAll();
    assertThat(done)
        .containsExactly(
            "write first",
            "flush first",
            "write second",
            "flush second",
            "write third",
            "flush third");
  }

  @Test
  void itGoesOnAfterAPause() {
    turns.execute(() -> done.add("first"));
    thread.runAll();
    turns.execute(() -> done.add("second"));
    thread.runAll();
    assertThat(done).containsExactly("first", "second");
  }

  @Test
  void aTaskThatThrowsDoesNotKeepTheNextFromItsTurn() {
    turns.execute(
        () -> {
          throw new IllegalStateException("planted");
        });
    turns.execute(() -> done.add("second"));
    try {
      thread.runAll();
    } catch (IllegalStateException e) {
      done.add(String.valueOf(e.getMessage()));
    }
    thread.runAll();
    assertThat(done).containsExactly("planted", "second");
  }

  @Test
  void aThreadThatEndedDropsWhatItIsGiven() {
    ConnectionThread ended =
        new ConnectionThread(
            task -> {
              throw new RejectedExecutionException("ended");
            });
    ended.execute(() -> done.add("first"));
    ended.execute(() -> done.add("second"));
    assertThat(done).isEmpty();
  }
}
