// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Loop;
import dev.holdfast.testkit.ManualExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** Events of a connection thread reach the loop in batches. */
final class LoopInboxTest {
  private final ManualExecutor thread = new ManualExecutor();
  private final ManualExecutor executor = new ManualExecutor();
  private final List<String> done = new ArrayList<>();
  private final Loop loop =
      new Loop(
          executor,
          e -> {
            throw new AssertionError(e);
          });

  @Test
  void simultaneousTasksRunInOneTurnAndInOrder() {
    LoopInbox inbox = new LoopInbox(loop, thread);
    for (String name : List.of("first", "second", "third")) {
      inbox.add(() -> done.add(name));
    }
    assertThat(thread.pending()).isEqualTo(1);
    assertThat(executor.pending()).isZero();
    thread.runAll();
    assertThat(executor.pending()).isEqualTo(1);
    executor.runAll();
    assertThat(done).containsExactly("first", "second", "third");
  }

  @Test
  void laterTasksRunInTheNextTurn() {
    LoopInbox inbox = new LoopInbox(loop, thread);
    inbox.add(() -> done.add("first"));
    thread.runAll();
    inbox.add(() -> done.add("second"));
    executor.runAll();
    assertThat(done).containsExactly("first");
    thread.runAll();
    executor.runAll();
    assertThat(done).containsExactly("first", "second");
  }

  @Test
  void tasksOfAnEndedThreadReachTheLoop() {
    LoopInbox inbox =
        new LoopInbox(
            loop,
            task -> {
              throw new RejectedExecutionException("ended");
            });
    inbox.add(() -> done.add("cancelled"));
    executor.runAll();
    assertThat(done).containsExactly("cancelled");
  }

  @Test
  void withoutAConnectionThreadTheOrderOfEachCallerIsKept() throws Exception {
    LoopInbox inbox = new LoopInboxes(loop).of(null);
    int each = 20_000;
    List<Thread> callers = new ArrayList<>();
    List<List<Integer>> seen = new ArrayList<>();
    for (int caller = 0; caller < 4; caller++) {
      List<Integer> own = new ArrayList<>();
      seen.add(own);
      callers.add(
          new Thread(
              () -> {
                for (int i = 0; i < each; i++) {
                  int number = i;
                  inbox.add(() -> own.add(number));
                }
              }));
    }
    callers.forEach(Thread::start);
    for (Thread caller : callers) {
      caller.join();
    }
    executor.runAll();

    assertThat(seen).allSatisfy(own -> assertThat(own).hasSize(each).isSorted());
  }

  @Test
  void everyThreadHasItsOwnInbox() {
    LoopInboxes inboxes = new LoopInboxes(loop);
    ConnectionThread one = new ConnectionThread(thread);
    assertThat(inboxes.of(one))
        .isSameAs(inboxes.of(one))
        .isNotSameAs(inboxes.of(new ConnectionThread(thread)));
    inboxes.of(null).add(() -> done.add("at once"));
    executor.runAll();
    assertThat(done).containsExactly("at once");
  }
}
