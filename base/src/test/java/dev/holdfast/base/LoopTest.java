// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class LoopTest {
  /** Turns of the loop that wait to be run by hand. */
  private final ArrayDeque<Runnable> turns = new ArrayDeque<>();

  private final List<Throwable> uncaught = new ArrayList<>();
  private final List<String> log = new ArrayList<>();
  private final Loop loop = new Loop(turns::add, uncaught::add);

  private void runTurn() {
    turns.remove().run();
  }

  @Test
  void tasksRunInOrderAndNeverInline() {
    loop.execute(() -> log.add("a"));
    loop.execute(() -> log.add("b"));
    assertThat(log).isEmpty();

    runTurn();

    assertThat(log).containsExactly("a", "b");
  }

  @Test
  void waitingTasksAreOneTurnOfTheExecutor() {
    loop.execute(() -> log.add("a"));
    loop.execute(() -> log.add("b"));

    assertThat(turns).hasSize(1);
  }

  @Test
  void tasksThatComeTogetherRunInOrderAfterThoseThatWait() {
    loop.execute(() -> log.add("a"));
    loop.executeAll(List.of(() -> log.add("b"), () -> log.add("c")));
    assertThat(turns).hasSize(1);

    runTurn();

    assertThat(log).containsExactly("a", "b", "c");
  }

  @Test
  void noTasksNeedNoTurn() {
    loop.executeAll(List.of());
    assertThat(turns).isEmpty();
  }

  @Test
  void aTaskSubmittedByATaskRunsLaterInTheSameTurn() {
    loop.execute(
        () -> {
          loop.execute(() -> log.add("inner"));
          log.add("outer");
        });

    runTurn();

    assertThat(log).containsExactly("outer", "inner");
    assertThat(turns).isEmpty();
  }

  @Test
  void theEndOfTheTurnComesAfterAllItsTasks() {
    loop.execute(() -> loop.atEndOfTurn(() -> log.add("end")));
    loop.execute(() -> log.add("a"));
    loop.execute(() -> loop.execute(() -> log.add("b")));

    runTurn();

    assertThat(log).containsExactly("a", "b", "end");
  }

  @Test
  void workPutOffAtTheEndOfTheTurnStillBelongsToIt() {
    loop.execute(
        () ->
            loop.atEndOfTurn(
                () -> {
                  log.add("first");
                  loop.atEndOfTurn(() -> log.add("second"));
                }));

    runTurn();

    assertThat(log).containsExactly("first", "second");
  }

  @Test
  void aTaskSubmittedAtTheEndOfTheTurnHasATurnOfItsOwn() {
    loop.execute(() -> loop.atEndOfTurn(() -> loop.execute(() -> log.add("next"))));

    runTurn();
    assertThat(log).isEmpty();
    runTurn();

    assertThat(log).containsExactly("next");
  }

  @Test
  void aFloodOfTasksDoesNotPutOffTheEndOfTheTurnForEver() {
    int[] ran = {0};
    loop.execute(() -> loop.atEndOfTurn(() -> log.add("end after " + ran[0])));
    Runnable[] flood = new Runnable[1];
    flood[0] =
        () -> {
          ran[0]++;
          if (ran[0] < 10_000) {
            loop.execute(flood[0]);
          }
        };
    loop.execute(flood[0]);

    runTurn();
    assertThat(log).hasSize(1);
    assertThat(ran[0]).isLessThan(10_000);
    while (!turns.isEmpty()) {
      runTurn();
    }

    assertThat(ran[0]).isEqualTo(10_000);
  }

  @Test
  void aTaskThatThrowsIsReportedAndTheOthersRun() {
    IllegalStateException failure = new IllegalStateException("oops");
    AssertionError error = new AssertionError("worse");
    loop.execute(
        () -> {
          throw failure;
        });
    loop.execute(
        () ->
            loop.atEndOfTurn(
                () -> {
                  throw error;
                }));
    loop.execute(() -> loop.atEndOfTurn(() -> log.add("end")));
    loop.execute(() -> log.add("task"));

    runTurn();

    assertThat(log).containsExactly("task", "end");
    assertThat(uncaught).containsExactly(failure, error);
  }

  @Test
  void aHandlerThatThrowsDoesNotStopTheLoop() {
    Loop fragile =
        new Loop(
            turns::add,
            e -> {
              throw new IllegalStateException("handler failed", e);
            });
    fragile.execute(
        () -> {
          throw new IllegalArgumentException("oops");
        });
    fragile.execute(() -> fragile.atEndOfTurn(() -> log.add("end")));
    fragile.execute(() -> log.add("task"));

    while (!turns.isEmpty()) {
      try {
        runTurn();
      } catch (IllegalStateException e) {
        log.add("executor saw: " + e.getMessage());
      }
    }

    assertThat(log).contains("task", "end");
  }

  @Test
  void anExecutorThatRefusesOnceDoesNotStopTheLoop() {
    boolean[] refuse = {true};
    Loop refused =
        new Loop(
            task -> {
              if (refuse[0]) {
                throw new RejectedExecutionException("full");
              }
              turns.add(task);
            },
            uncaught::add);
    assertThatThrownBy(() -> refused.execute(() -> log.add("a")))
        .isInstanceOf(RejectedExecutionException.class);

    refuse[0] = false;
    refused.execute(() -> log.add("b"));
    runTurn();

    assertThat(log).containsExactly("a", "b");
  }

  @Test
  void anExecutorThatCannotHaveAnotherThreadOnceDoesNotStopTheLoop() {
    boolean[] fail = {true};
    Loop starved =
        new Loop(
            task -> {
              if (fail[0]) {
                throw new OutOfMemoryError("unable to create native thread");
              }
              turns.add(task);
            },
            uncaught::add);
    assertThatThrownBy(() -> starved.execute(() -> log.add("a")))
        .isInstanceOf(OutOfMemoryError.class);

    fail[0] = false;
    starved.execute(() -> log.add("b"));
    runTurn();

    assertThat(log).containsExactly("a", "b");
  }

  @Test
  void onlyTasksOfTheLoopAreOnTheLoop() {
    assertThat(loop.isCurrent()).isFalse();
    assertThatThrownBy(loop::check)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("not on the loop");
    assertThatThrownBy(() -> loop.atEndOfTurn(() -> {})).isInstanceOf(IllegalStateException.class);

    loop.execute(
        () -> {
          loop.check();
          log.add("inside: " + loop.isCurrent());
        });
    runTurn();

    assertThat(log).containsExactly("inside: true");
    assertThat(loop.isCurrent()).isFalse();
  }
}
