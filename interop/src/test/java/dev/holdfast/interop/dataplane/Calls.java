// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import dev.holdfast.interop.Pace;
import io.grpc.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Calls without end on a channel; each of them is expected to be answered. */
final class Calls implements AutoCloseable {
  private final Channel channel;
  private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
  private final AtomicLong count = new AtomicLong();
  private final List<Thread> threads = new ArrayList<>();
  private volatile String last = "";
  private volatile boolean stopped;

  Calls(Channel channel) {
    this.channel = channel;
    for (int i = 0; i < 2; i++) {
      Thread thread = new Thread(this::run, "calls-" + i);
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
  }

  private void run() {
    while (!stopped) {
      Rpc.Outcome outcome = Rpc.call(channel);
      if (outcome.isOk()) {
        last = outcome.backend();
      } else {
        failures.add(outcome.status().toString());
      }
      count.incrementAndGet();
      Pace.keep();
    }
  }

  /** Who answered last. */
  String last() {
    return last;
  }

  long count() {
    return count.get();
  }

  /** Waits for that many more calls. */
  void await(int more) {
    long wanted = count() + more;
    Stage.await(more + " calls", () -> count() >= wanted);
  }

  List<String> failures() {
    return List.copyOf(failures);
  }

  @Override
  public void close() {
    stopped = true;
    try {
      for (Thread thread : threads) {
        thread.join(TimeUnit.SECONDS.toMillis(60));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
