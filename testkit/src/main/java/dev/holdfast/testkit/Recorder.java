// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * What happened, in order, for a test that waits for it. Any thread may {@link #add}; the test
 * reads one by one with {@link #next}. A wait that is in vain ends in an {@link AssertionError}
 * that says what came instead.
 */
public final class Recorder<T> {
  /** Long enough for a busy machine; a test that passes never waits this long. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final String what;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<T> all = new ArrayList<>();
  private int read;

  /**
   * @param what the things that are recorded, for error texts: {@code "request"}
   */
  public Recorder(String what) {
    this.what = what;
  }

  /** Something happened. */
  public void add(T event) {
    lock.lock();
    try {
      all.add(event);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The first that was not read yet, waiting for it if need be. */
  public T next() {
    return next(event -> true);
  }

  /** The first unread one that fits, waiting for it if need be; those before it count as read. */
  public T next(Predicate<? super T> fits) {
    lock.lock();
    try {
      awaitUntil(() -> skipTo(fits));
      return all.get(read - 1);
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the events so far, read or not, are as wanted. */
  public List<T> awaitAll(Predicate<? super List<T>> wanted) {
    lock.lock();
    try {
      awaitUntil(() -> wanted.test(List.copyOf(all)));
      return List.copyOf(all);
    } finally {
      lock.unlock();
    }
  }

  /** Everything that happened so far, read or not. */
  public List<T> all() {
    lock.lock();
    try {
      return List.copyOf(all);
    } finally {
      lock.unlock();
    }
  }

  /** What happened so far and was not read. Does not wait. */
  public List<T> unread() {
    lock.lock();
    try {
      return List.copyOf(all.subList(read, all.size()));
    } finally {
      lock.unlock();
    }
  }

  /** Reads on until just after the first one that fits; whether there is one. */
  private boolean skipTo(Predicate<? super T> fits) {
    while (read < all.size()) {
      if (fits.test(all.get(read++))) {
        return true;
      }
    }
    return false;
  }

  private void awaitUntil(BooleanSupplier happened) {
    long left = PATIENCE.toNanos();
    try {
      while (!happened.getAsBoolean()) {
        if (left <= 0) {
          throw new AssertionError(
              "no such " + what + " within " + PATIENCE.toSeconds() + " s; so far: " + all);
        }
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for a " + what, e);
    }
  }
}
