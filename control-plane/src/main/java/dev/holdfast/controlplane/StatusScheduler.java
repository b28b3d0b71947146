// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane;

import dev.holdfast.base.Loop;
import dev.holdfast.base.PersistentMap;
import dev.holdfast.base.TimeSource;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import java.time.Duration;
import java.util.Collection;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Schedules the evaluation of object status. It collects the affected objects for a short time, so
 * that a thousand proxies that accept one change within milliseconds cause one evaluation.
 */
final class StatusScheduler {
  private static final Duration INTERVAL = Duration.ofMillis(10);

  /**
   * Above this number of affected objects it is cheaper to evaluate all objects than to find out
   * which are affected.
   */
  private static final int MAX_OBJECTS = 256;

  private static final Duration ALL_INTERVAL = Duration.ofMillis(100);

  private final Loop loop;
  private final TimeSource time;
  private final Consumer<@Nullable Collection<ObjectKey>> evaluate;
  private SortedSet<ObjectKey> affected = new TreeSet<>();
  private boolean all;
  private boolean scheduled;
  private long lastRun;
  private TimeSource.@Nullable Timer timer;
  private boolean closed;

  /**
   * @param evaluate is given the objects to evaluate, or null for all
   */
  StatusScheduler(Loop loop, TimeSource time, Consumer<@Nullable Collection<ObjectKey>> evaluate) {
    this.loop = loop;
    this.time = time;
    this.evaluate = evaluate;
    this.lastRun = time.nanoTime() - ALL_INTERVAL.toNanos();
  }

  void schedule(ObjectKey key) {
    affected.add(key);
    ensureScheduled();
  }

  void scheduleAll() {
    all = true;
    ensureScheduled();
  }

  /** Schedules the objects affected when a proxy runs other resources than before. */
  void scheduleChanged(ResourceTable before, ResourceTable now) {
    if (Math.abs(now.size() - before.size()) > MAX_OBJECTS) {
      scheduleAll();
      return;
    }
    ResourceTable.diff(before, now, (name, from, to) -> scheduleChanged(from, to));
  }

  /** Schedules the objects whose contribution differs between two versions of a resource. */
  private void scheduleChanged(@Nullable Resource from, @Nullable Resource to) {
    PersistentMap.diff(parts(from), parts(to), (key, was, is) -> schedule(key));
  }

  private static PersistentMap<ObjectKey, String> parts(@Nullable Resource resource) {
    return resource == null ? PersistentMap.empty() : resource.contributions();
  }

  /** Schedules all objects that contribute to a resource. */
  void scheduleContributors(Resource resource) {
    if (resource.contributions().size() > MAX_OBJECTS) {
      scheduleAll();
    } else {
      resource.contributions().forEach((key, digest) -> schedule(key));
    }
  }

  private void ensureScheduled() {
    if (scheduled || closed) {
      return;
    }
    scheduled = true;
    loop.atEndOfTurn(this::atEndOfTurn);
  }

  private void atEndOfTurn() {
    Duration interval = all ? ALL_INTERVAL : INTERVAL;
    long wait = lastRun + interval.toNanos() - time.nanoTime();
    if (wait <= 0) {
      // After the responses of this turn: until they are sent, some proxies count as unanswered.
      loop.execute(this::run);
    } else {
      timer = time.schedule(Duration.ofNanos(wait), () -> loop.execute(this::run));
    }
  }

  private void run() {
    timer = null;
    scheduled = false;
    if (closed) {
      return;
    }
    lastRun = time.nanoTime();
    SortedSet<ObjectKey> keys = affected;
    boolean everything = all;
    affected = new TreeSet<>();
    all = false;
    evaluate.accept(everything ? null : keys);
  }

  void close() {
    closed = true;
    if (timer != null) {
      timer.cancel();
    }
  }
}
