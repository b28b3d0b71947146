// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.ManualExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** A connection thread runs one task at a time. */
final class ConnectionThreadTest {
  private final ManualExecutor thread = new ManualExecutor();
  private final ConnectionThread connection = new ConnectionThread(thread);
  private final List<String> done = new ArrayList<>();

  @Test
  void aFollowUpOfATaskRunsBeforeTheNextTask() {
    for (String name : List.of("first", "second", "third")) {
      connection.execute(
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
  void tasksRunAfterAPause() {
    connection.execute(() -> done.add("first"));
    thread.runAll();
    connection.execute(() -> done.add("second"));
    thread.runAll();
    assertThat(done).containsExactly("first", "second");
  }

  @Test
  void aTaskThatThrowsDoesNotStopTheNext() {
    connection.execute(
        () -> {
          throw new IllegalStateException("planted");
        });
    connection.execute(() -> done.add("second"));
    try {
      thread.runAll();
    } catch (IllegalStateException e) {
      done.add(String.valueOf(e.getMessage()));
    }
    thread.runAll();
    assertThat(done).containsExactly("planted", "second");
  }

  @Test
  void anEndedThreadDropsTasks() {
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
