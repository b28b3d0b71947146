// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import dev.holdfast.base.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The resource timers of one stream. Names that left in one request share one timer: ten thousand
 * subscriptions cost one scheduled task.
 */
final class ResourceTimers {
  private final EngineContext context;
  private final Duration timeout;
  private final Predicate<Subscription<?>> onTimeout;
  private final Set<Batch> running = new HashSet<>();

  /** Ran out while another server counted. */
  private final List<Subscription<?>> unheeded = new ArrayList<>();

  /**
   * @param onTimeout returns whether the timeout was of interest; if not, {@link #resume} gives the
   *     server another chance
   */
  ResourceTimers(EngineContext context, Duration timeout, Predicate<Subscription<?>> onTimeout) {
    this.context = context;
    this.timeout = timeout;
    this.onTimeout = onTimeout;
  }

  /**
   * Starts the clock for those of {@code sent} that are neither cached nor answered. Also if nobody
   * watches them at the moment: whoever comes back before the server is told joins a subscription
   * that is under way.
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
    subscription.answered = true;
    Batch batch = subscription.timer;
    if (batch != null) {
      subscription.timer = null;
      if (--batch.count == 0) {
        batch.cancel();
        running.remove(batch);
      }
    }
  }

  /** The server counts (again): what it left unanswered while it did not is timed once more. */
  void resume() {
    List<Subscription<?>> again = List.copyOf(unheeded);
    unheeded.clear();
    start(again);
  }

  void stopAll() {
    running.forEach(Batch::cancel);
    running.clear();
    unheeded.clear();
  }

  private void fire(Batch batch) {
    if (!running.remove(batch)) {
      return; // stopped while the task was on its way to the loop
    }
    for (Subscription<?> subscription : batch.waiting) {
      if (subscription.timer == batch) {
        subscription.timer = null;
        if (onTimeout.test(subscription)) {
          subscription.answered = true; // a timer that fired is not started again on this stream
        } else {
          unheeded.add(subscription);
        }
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
