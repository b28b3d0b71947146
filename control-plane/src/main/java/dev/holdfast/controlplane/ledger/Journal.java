// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ledger;

import dev.holdfast.base.Loop;
import dev.holdfast.base.TimeSource;
import dev.holdfast.config.HistoryEntry;
import dev.holdfast.config.StateChange;
import dev.holdfast.config.StateStore;
import dev.holdfast.config.StateStoreException;
import dev.holdfast.controlplane.log.LogArea;
import dev.holdfast.controlplane.report.StateProblem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes state changes to the store without ever blocking the loop. Changes made while a write is
 * in progress are combined into the next write. A caller that must not act before its change is
 * durable leaves a task, which runs once it is. Loop only.
 */
public final class Journal {
  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final int MOST_WAITING_HISTORY = 10_000;
  private static final int LONGEST_MESSAGE = 256 << 10;

  private final StateStore store;
  private final Loop loop;
  private final Executor writer;
  private final TimeSource time;
  private final InternalErrors errors;
  private final DecisionProbe probe;
  private final int longestMessage;
  private final Runnable onCut;
  private StateChange.Builder next = StateChange.builder();
  private List<Runnable> nextTasks = new ArrayList<>();
  private boolean writing;
  private boolean writeScheduled;
  private volatile @Nullable StateProblem problem;
  private final List<CountDownLatch> flushWaiters = new ArrayList<>();

  /**
   * @param writer runs writes, one at a time; may block
   */
  public Journal(StateStore store, Loop loop, Executor writer, TimeSource time) {
    this(
        store,
        loop,
        writer,
        time,
        new InternalErrors(time),
        DecisionProbe.NONE,
        LONGEST_MESSAGE,
        () -> {});
  }

  /**
   * @param writer runs writes, one at a time; may block
   * @param probe is passed before each write
   * @param longestMessage how many characters of a message the history keeps
   * @param onCut is called for each message that is longer
   */
  public Journal(
      StateStore store,
      Loop loop,
      Executor writer,
      TimeSource time,
      InternalErrors errors,
      DecisionProbe probe,
      int longestMessage,
      Runnable onCut) {
    this.errors = errors;
    this.onCut = onCut;
    this.longestMessage = longestMessage;
    this.probe = probe;
    this.store = store;
    this.loop = loop;
    this.writer = writer;
    this.time = time;
  }

  /** Adds to the next write. */
  public void edit(Consumer<StateChange.Builder> edit) {
    loop.check();
    edit.accept(next);
    writeAtEndOfTurn();
  }

  /** Runs a task on the loop once everything added until now is durable. */
  public void whenDurable(Runnable task) {
    loop.check();
    nextTasks.add(task);
    writeAtEndOfTurn();
  }

  /** Why the last write failed; null if it did not. Any thread may ask. */
  public @Nullable StateProblem problem() {
    return problem;
  }

  private void writeAtEndOfTurn() {
    if (!writeScheduled) {
      writeScheduled = true;
      loop.atEndOfTurn(
          () -> {
            writeScheduled = false;
            write();
          });
    }
  }

  private void write() {
    if (writing) {
      return;
    }
    if (next.isEmpty()) {
      List<Runnable> tasks = nextTasks;
      nextTasks = new ArrayList<>();
      runAll(tasks);
      if (nextTasks.isEmpty() && next.isEmpty()) {
        flushWaiters.forEach(CountDownLatch::countDown);
        flushWaiters.clear();
      }
      return;
    }
    writing = true;
    StateChange change = withShortMessages(next.build());
    List<Runnable> tasks = nextTasks;
    next = StateChange.builder();
    nextTasks = new ArrayList<>();
    try {
      writer.execute(
          () -> {
            @Nullable Throwable failure = null;
            try {
              probe.at(DecisionProbe.Point.JOURNAL);
              store.commit(change);
            } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
              failure = e; // also one that a store should not throw: nothing is lost
            }
            @Nullable Throwable result = failure;
            loop.execute(() -> onWritten(change, tasks, result));
          });
    } catch (RuntimeException | OutOfMemoryError e) { // no thread for it now
      onWritten(change, tasks, e);
    }
  }

  private StateChange withShortMessages(StateChange change) {
    if (change.history().stream().allMatch(entry -> entry.message().length() <= longestMessage)) {
      return change;
    }
    List<HistoryEntry> history = new ArrayList<>();
    for (HistoryEntry entry : change.history()) {
      boolean isLong = entry.message().length() > longestMessage;
      if (isLong) {
        onCut.run();
      }
      history.add(isLong ? entry.withMessage(cut(entry.message())) : entry);
    }
    return new StateChange(
        change.accepted(),
        change.byClass(),
        change.classes(),
        change.rejections(),
        change.statuses(),
        change.held(),
        history);
  }

  /** The first line of a message, which is for people, as far as there is room for it. */
  private String cut(String message) {
    int end = message.indexOf('\n');
    return end >= 0 && end <= longestMessage
        ? message.substring(0, end)
        : message.substring(0, longestMessage) + "...";
  }

  /** Runs tasks; an error of our own in one of them does not keep the others from running. */
  private void runAll(List<Runnable> tasks) {
    for (Runnable task : tasks) {
      try {
        task.run();
      } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
        errors.add("going on after a write", e);
      }
    }
  }

  private void onWritten(StateChange change, List<Runnable> tasks, @Nullable Throwable failure) {
    StateProblem before = problem;
    if (failure == null) {
      if (before != null) {
        LogArea.STATE
            .info("written-again")
            .log("state is written again; edits waited since " + before.since());
      }
      problem = null;
      writing = false;
      runAll(tasks);
      write();
      return;
    }
    String message =
        failure instanceof StateStoreException ? failure.getMessage() : failure.toString();
    if (before == null) {
      LogArea.STATE
          .error("write-failed")
          .log("cannot write state; edits wait, and traffic continues: " + message);
    }
    problem =
        new StateProblem(String.valueOf(message), before == null ? time.now() : before.since());
    next = newestHistory(StateChange.builder().add(change).add(next.build()));
    List<Runnable> remaining = new ArrayList<>(tasks);
    remaining.addAll(nextTasks);
    nextTasks = remaining;
    time.schedule(
        RETRY,
        () ->
            loop.execute(
                () -> {
                  writing = false;
                  write();
                }));
  }

  /** A disk can be full for days, and what happens meanwhile must fit into memory. */
  private static StateChange.Builder newestHistory(StateChange.Builder waiting) {
    return waiting.keepNewestHistory(MOST_WAITING_HISTORY);
  }

  /**
   * Waits until everything is written; false if that takes longer than the timeout. Must not be
   * called on the loop.
   */
  public boolean flush(Duration timeout) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    loop.execute(
        () -> {
          flushWaiters.add(done);
          writeAtEndOfTurn();
        });
    return done.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
  }
}
