// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import dev.holdfast.base.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The resource timers of one stream. Names that left in one request share one timer: ten thousand
 * subscriptions cost one scheduled task.
 */
final class ResourceTimers {
  private final EngineContext context;
  private final Duration timeout;
  private final Consumer<Subscription<?>> onTimeout;
  private final Set<Batch> running = new HashSet<>();

  ResourceTimers(EngineContext context, Duration timeout, Consumer<Subscription<?>> onTimeout) {
    this.context = context;
    this.timeout = timeout;
    this.onTimeout = onTimeout;
  }

  /**
   * Starts the clock for those of {@code sent} that are neither cached nor answered. Also where
   * nobody watches just now: who comes back before the server is told sends no request of his own.
   */
  void start(List<? extends Subscription<?>> sent) {
    Batch batch = new Batch();
    for (Subscription<?> subscription : sent) {
      if (!subscription.answered
          && subscription.timer == null
          && subscription.entry.state().resource() == null) {
        subscription.timer = batch;
        batch.waiting.add(subscription);
        batch.count++;
      }
    }
    if (batch.count > 0) {
      running.add(batch);
      batch.task = context.schedule(timeout, () -> fire(batch));
    }
  }

  /** The server has spoken, or nobody wants to know any more. */
  void stop(Subscription<?> subscription) {
    Batch batch = subscription.timer;
    if (batch != null) {
      subscription.timer = null;
      if (--batch.count == 0) {
        batch.cancel();
        running.remove(batch);
      }
    }
  }

  void stopAll() {
    running.forEach(Batch::cancel);
    running.clear();
  }

  private void fire(Batch batch) {
    if (!running.remove(batch)) {
      return; // stopped while the task was on its way to the loop
    }
    for (Subscription<?> subscription : batch.waiting) {
      if (subscription.timer == batch) {
        subscription.timer = null;
        subscription.answered = true; // a timer that fired is not started again on this stream
        onTimeout.accept(subscription);
      }
    }
  }

  /** Subscriptions whose time started together. */
  static final class Batch {
    private final List<Subscription<?>> waiting = new ArrayList<>();
    private int count;
    private TimeSource.@Nullable Timer task;

    private void cancel() {
      if (task != null) {
        task.cancel();
      }
    }
  }
}
