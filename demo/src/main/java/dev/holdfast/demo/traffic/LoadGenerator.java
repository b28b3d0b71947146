// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.traffic;

import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A client that calls one service after the other, steadily, whatever happens. Calls are not
 * repeated: one that fails has failed.
 */
public final class LoadGenerator implements AutoCloseable {
  /** Some two hundred calls per second. */
  private static final Duration PAUSE = Duration.ofMillis(5);

  private final Caller caller;
  private final List<String> services;
  private final ScheduledExecutorService ticker;
  private final Map<String, CallResult> last = new ConcurrentHashMap<>();
  private final AtomicLong served = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicReference<@Nullable String> firstFailure = new AtomicReference<>();
  private int next; // of the ticker's thread

  /**
   * @param services what is called, in turn
   */
  public LoadGenerator(String name, Caller caller, List<String> services) {
    this.caller = caller;
    this.services = List.copyOf(services);
    ticker =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "load-" + name);
              thread.setDaemon(true);
              return thread;
            });
  }

  public void start() {
    var unused =
        ticker.scheduleWithFixedDelay(this::call, 0, PAUSE.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void call() {
    String service = services.get(next);
    next = (next + 1) % services.size();
    caller.call(
        service,
        (status, answer) -> {
          // Counted last: who has seen the count finds what is told of it.
          if (status.isOk()) {
            last.put(service, answer);
            served.incrementAndGet();
          } else {
            firstFailure.compareAndSet(null, describe(service, status));
            failed.incrementAndGet();
          }
        });
  }

  private static String describe(String service, Status status) {
    return service + ": " + status.getCode() + ": " + status.getDescription();
  }

  public CallCounts tally() {
    return new CallCounts(served.get(), failed.get());
  }

  /** The newest answer from a service; null before the first. */
  public @Nullable CallResult last(String service) {
    return last.get(service);
  }

  /** What the first call that failed was told; null if none did. */
  public @Nullable String firstFailure() {
    return firstFailure.get();
  }

  /** Calls no more. Those under way are not waited for. */
  @Override
  public void close() {
    ticker.shutdownNow();
    caller.close();
  }
}
