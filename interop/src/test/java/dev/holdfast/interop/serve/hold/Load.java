// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import dev.holdfast.interop.Pace;
import dev.holdfast.interop.envoy.Http;
import dev.holdfast.interop.envoy.KeepAlive;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** Clients that ask for the same hosts without end; each has to be answered by a backend. */
public final class Load implements AutoCloseable {
  private static final int CLIENTS = 2;
  private static final long PATIENCE_MILLIS = 60_000;

  private final int port;
  private final List<String> hosts;
  private final Map<String, Set<String>> backends;
  private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
  private final AtomicLong requests = new AtomicLong();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopped;

  /**
   * @param port of Envoy's listener without TLS
   */
  public Load(int port, List<String> hosts) {
    this(port, hosts, Map.of());
  }

  /**
   * @param backends who may answer, by host
   */
  public Load(int port, SortedMap<String, Set<String>> backends) {
    this(port, List.copyOf(backends.keySet()), backends);
  }

  private Load(int port, List<String> hosts, Map<String, Set<String>> backends) {
    this.port = port;
    this.hosts = List.copyOf(hosts);
    this.backends = backends;
    for (int i = 0; i < CLIENTS; i++) {
      SplittableRandom random = new SplittableRandom(i);
      Thread thread = new Thread(() -> ask(random), "load-" + i);
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
  }

  private void ask(SplittableRandom random) {
    try (KeepAlive connection = new KeepAlive(port, null)) {
      while (!stopped) {
        String host = hosts.get(random.nextInt(hosts.size()));
        try {
          Http.Response response = connection.get(host, "/");
          if (response.status() != 200 || !mayAnswer(host, response.backend())) {
            failures.add(
                "%s: %d %s %s"
                    .formatted(host, response.status(), response.backend(), response.body()));
          }
        } catch (IOException e) {
          failures.add(host + ": " + e);
        }
        requests.incrementAndGet();
        Pace.keep();
      }
    }
  }

  private boolean mayAnswer(String host, String backend) {
    Set<String> some = backends.get(host);
    return some == null ? !backend.isEmpty() : some.contains(backend);
  }

  /** What went wrong so far. */
  public List<String> failures() {
    return List.copyOf(failures);
  }

  public long requests() {
    return requests.get();
  }

  @Override
  public void close() {
    stopped = true;
    try {
      for (Thread thread : threads) {
        thread.join(PATIENCE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
