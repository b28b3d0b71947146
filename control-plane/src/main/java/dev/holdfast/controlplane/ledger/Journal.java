// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ledger;

import dev.holdfast.base.Loop;
import dev.holdfast.base.TimeSource;
import dev.holdfast.config.StateChange;
import dev.holdfast.config.StateStore;
import dev.holdfast.config.StateStoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes to the store without ever holding up the loop. What comes while a write is under way goes
 * into the next, together. Those who must not speak before something is durable leave a task that
 * runs when it is. Loop only.
 */
public final class Journal {
  private static final Logger LOG = LoggerFactory.getLogger(Journal.class);
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final StateStore store;
  private final Loop loop;
  private final Executor writer;
  private final TimeSource time;
  private StateChange.Builder next = StateChange.builder();
  private List<Runnable> nextTasks = new ArrayList<>();
  private boolean writing;
  private boolean due;
  private @Nullable String problem;
  private final List<CountDownLatch> flushes = new ArrayList<>();

  /**
   * @param writer runs writes, one at a time; may block
   */
  public Journal(StateStore store, Loop loop, Executor writer, TimeSource time) {
    this.store = store;
    this.loop = loop;
    this.writer = writer;
    this.time = time;
  }

  /** Adds to what is written next. */
  public void edit(Consumer<StateChange.Builder> edit) {
    loop.check();
    edit.accept(next);
    writeAtEndOfTurn();
  }

  /** Runs a task on the loop when everything that was added until now is durable. */
  public void whenDurable(Runnable task) {
    loop.check();
    nextTasks.add(task);
    writeAtEndOfTurn();
  }

  /** Why nothing can be written; null if it can. */
  public @Nullable String problem() {
    return problem;
  }

  private void writeAtEndOfTurn() {
    if (!due) {
      due = true;
      loop.atEndOfTurn(
          () -> {
            due = false;
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
      tasks.forEach(Runnable::run);
      if (nextTasks.isEmpty() && next.isEmpty()) {
        flushes.forEach(CountDownLatch::countDown);
        flushes.clear();
      }
      return;
    }
    writing = true;
    StateChange change = next.build();
    List<Runnable> tasks = nextTasks;
    next = StateChange.builder();
    nextTasks = new ArrayList<>();
    writer.execute(
        () -> {
          @Nullable StateStoreException failure = null;
          try {
            store.commit(change);
          } catch (StateStoreException e) {
            failure = e;
          }
          @Nullable StateStoreException outcome = failure;
          loop.execute(() -> written(change, tasks, outcome));
        });
  }

  private void written(
      StateChange change, List<Runnable> tasks, @Nullable StateStoreException failure) {
    if (failure == null) {
      problem = null;
      writing = false;
      tasks.forEach(Runnable::run);
      write();
      return;
    }
    if (problem == null) {
      LOG.error("cannot write state, retrying: {}", failure.getMessage());
    }
    problem = failure.getMessage();
    next = StateChange.builder().add(change).add(next.build());
    List<Runnable> all = new ArrayList<>(tasks);
    all.addAll(nextTasks);
    nextTasks = all;
    time.schedule(
        RETRY,
        () ->
            loop.execute(
                () -> {
                  writing = false;
                  write();
                }));
  }

  /** Waits until all is written. Not from the loop. False if it takes longer. */
  public boolean flush(Duration patience) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    loop.execute(
        () -> {
          flushes.add(done);
          writeAtEndOfTurn();
        });
    return done.await(patience.toMillis(), TimeUnit.MILLISECONDS);
  }
}
