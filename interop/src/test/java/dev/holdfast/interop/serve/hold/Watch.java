// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** A client that asks the same things without end, and takes down every other answer. */
final class Watch implements AutoCloseable {
  /** Something that is asked, and the only good answer. */
  record Probe(boolean tls, String host, String path, String answer) {
    static Probe of(String host, String answer) {
      return new Probe(/* tls= */ false, host, "/", answer);
    }

    static Probe secure(String host, String answer) {
      return new Probe(/* tls= */ true, host, "/", answer);
    }
  }

  private static final long PAUSE_MILLIS = 5;

  private final Scene scene;
  private final List<Probe> probes;
  private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
  private final AtomicLong rounds = new AtomicLong();
  private final Thread thread;
  private volatile boolean stopped;

  private Watch(Scene scene, List<Probe> probes) {
    this.scene = scene;
    this.probes = probes;
    this.thread = new Thread(this::run, "watch");
    thread.setDaemon(true);
  }

  /** Begins when every answer is good. */
  static Watch begin(Scene scene, Probe... probes) {
    for (Probe probe : probes) {
      scene.awaitSeen(probe.tls(), probe.host(), probe.path(), probe.answer());
    }
    Watch watch = new Watch(scene, List.of(probes));
    watch.thread.start();
    return watch;
  }

  private void run() {
    try {
      while (!stopped) {
        for (Probe probe : probes) {
          String seen = scene.seen(probe.tls(), probe.host(), probe.path());
          if (!seen.equals(probe.answer())) {
            wrong.add(probe + " got " + seen);
          }
        }
        rounds.incrementAndGet();
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      wrong.add(e.toString());
    }
  }

  /** Lets it ask everything a few times more. */
  void someMore() {
    long until = rounds.get() + 5;
    dev.holdfast.interop.serve.Plane.await(
        "more answers", () -> rounds.get() >= until || !thread.isAlive());
  }

  /** Ends it: every answer was good. */
  @Override
  public void close() {
    someMore();
    stopped = true;
    try {
      thread.join(60_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    assertThat(wrong).isEmpty();
  }
}
