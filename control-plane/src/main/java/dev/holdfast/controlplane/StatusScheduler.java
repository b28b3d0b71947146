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
 * Which objects may have something new said of them. They are gathered for a moment: a thousand
 * proxies that accept one change within milliseconds are one piece of news.
 */
final class StatusScheduler {
  private static final Duration MOMENT = Duration.ofMillis(10);

  /** More than that is everything: to tell which is more work than to look at all. */
  private static final int MANY = 256;

  private static final Duration MOMENT_FOR_ALL = Duration.ofMillis(100);

  private final Loop loop;
  private final TimeSource time;
  private final Consumer<@Nullable Collection<ObjectKey>> evaluate;
  private SortedSet<ObjectKey> affected = new TreeSet<>();
  private boolean all;
  private boolean due;
  private long last;
  private TimeSource.@Nullable Timer timer;
  private boolean closed;

  /**
   * @param evaluate is given the objects, null for all
   */
  StatusScheduler(Loop loop, TimeSource time, Consumer<@Nullable Collection<ObjectKey>> evaluate) {
    this.loop = loop;
    this.time = time;
    this.evaluate = evaluate;
    this.last = time.nanoTime() - MOMENT_FOR_ALL.toNanos();
  }

  void affects(ObjectKey key) {
    affected.add(key);
    later();
  }

  void affectsAll() {
    all = true;
    later();
  }

  /** A proxy runs other resources than before. */
  void affects(ResourceTable before, ResourceTable now) {
    if (Math.abs(now.size() - before.size()) > MANY) {
      affectsAll();
      return;
    }
    ResourceTable.diff(before, now, (name, from, to) -> affects(from, to));
  }

  /** The objects that have another part in a resource than they had. */
  private void affects(@Nullable Resource from, @Nullable Resource to) {
    PersistentMap.diff(parts(from), parts(to), (key, was, is) -> affects(key));
  }

  private static PersistentMap<ObjectKey, String> parts(@Nullable Resource resource) {
    return resource == null ? PersistentMap.empty() : resource.contributions();
  }

  /** A resource was refused. */
  void affects(Resource refused) {
    if (refused.contributions().size() > MANY) {
      affectsAll();
    } else {
      refused.contributions().forEach((key, digest) -> affects(key));
    }
  }

  private void later() {
    if (due || closed) {
      return;
    }
    due = true;
    loop.atEndOfTurn(this::atEndOfTurn);
  }

  private void atEndOfTurn() {
    Duration moment = all ? MOMENT_FOR_ALL : MOMENT;
    long wait = last + moment.toNanos() - time.nanoTime();
    if (wait <= 0) {
      loop.execute(this::run); // when proxies have been answered: some have nothing open only then
    } else {
      timer = time.schedule(Duration.ofNanos(wait), () -> loop.execute(this::run));
    }
  }

  private void run() {
    timer = null;
    due = false;
    if (closed) {
      return;
    }
    last = time.nanoTime();
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
