// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Loop;
import dev.holdfast.testkit.ManualExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** What comes in on a thread goes to the loop once for all that came together. */
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
  void whatCameTogetherIsDoneInOneTurnAndInOrder() {
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
  void whatComesAfterwardsGoesWithTheNext() {
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
  void theLoopIsToldEvenWhenTheThreadHasEnded() {
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
  void threadsHaveOneEach() {
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
