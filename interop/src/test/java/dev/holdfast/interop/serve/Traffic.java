// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import dev.holdfast.interop.Pace;
import dev.holdfast.interop.envoy.Http;
import dev.holdfast.interop.envoy.KeepAlive;
import dev.holdfast.interop.envoy.Tls;
import dev.holdfast.testkit.TestCa;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Clients that ask without end, on connections that they keep, and compare what they get with what
 * must be answered at the time.
 */
final class Traffic implements AutoCloseable {
  private static final long PATIENCE_MILLIS = 60_000;

  private final int httpPort;
  private final int httpsPort;
  private final TestCa ca;

  /** What had to be answered, in the order in which it came to be. */
  private final List<Oracle> oracles = new CopyOnWriteArrayList<>();

  private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
  private final AtomicLong requests = new AtomicLong();
  private final AtomicLong reconnects = new AtomicLong();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopped;

  Traffic(int httpPort, int httpsPort, TestCa ca, Oracle first, int clients, long seed) {
    this.httpPort = httpPort;
    this.httpsPort = httpsPort;
    this.ca = ca;
    oracles.add(first);
    for (int i = 0; i < clients; i++) {
      SplittableRandom random = new SplittableRandom(seed + i);
      Thread thread = new Thread(() -> new Client(random).run(), "client-" + i);
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
  }

  /** From now on, this must be answered. */
  void expect(Oracle oracle) {
    oracles.add(oracle);
  }

  List<String> failures() {
    return List.copyOf(failures);
  }

  long requests() {
    return requests.get();
  }

  /** How often a client found its idle connection closed. */
  long reconnects() {
    return reconnects.get();
  }

  @Override
  public void close() {
    stop();
  }

  /** Returns when no request is under way any more. */
  void stop() {
    stopped = true;
    try {
      for (Thread thread : threads) {
        thread.join(PATIENCE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private final class Client {
    private final SplittableRandom random;

    /** By server name; empty for the port without TLS, which serves all hosts. */
    private final SortedMap<String, KeepAlive> connections = new TreeMap<>();

    Client(SplittableRandom random) {
      this.random = random;
    }

    void run() {
      try {
        while (!stopped) {
          int now = oracles.size() - 1;
          List<Probe> probes = oracles.get(now).probes();
          ask(probes.get(random.nextInt(probes.size())), now);
          Pace.keep();
        }
      } catch (RuntimeException | Error e) {
        failures.add("a client broke: " + e);
      } finally {
        connections.values().forEach(KeepAlive::close);
      }
    }

    private void ask(Probe probe, int first) {
      KeepAlive connection =
          connections.computeIfAbsent(
              probe.secure() ? probe.host() : "",
              name ->
                  name.isEmpty()
                      ? new KeepAlive(httpPort, null)
                      : new KeepAlive(httpsPort, Tls.sni(name, ca)));
      long before = connection.reconnects();
      String got;
      try {
        Http.Response response = connection.get(probe.host(), probe.path());
        got = response.status() == 200 ? response.backend() : response.status() + response.body();
      } catch (IOException e) {
        got = e.toString();
      }
      requests.incrementAndGet();
      reconnects.addAndGet(connection.reconnects() - before);
      check(probe, got, first, oracles.size());
    }

    /** An answer is right if it was at any time while the request was under way. */
    private void check(Probe probe, String got, int first, int end) {
      Set<String> right = new TreeSet<>();
      for (int i = first; i < end; i++) {
        Set<String> backends = oracles.get(i).answers().get(probe);
        if (backends == null) {
          return; // need not be answered
        }
        right.addAll(backends);
      }
      if (!right.contains(got)) {
        failures.add(
            probe
                + ": "
                + got
                + " (expected: one of "
                + right
                + ") during "
                + oracles.get(end - 1).what());
      }
    }
  }
}
