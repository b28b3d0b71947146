// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.envoy;

import dev.holdfast.testkit.envoy.FakeEnvoy;
import dev.holdfast.testkit.envoy.Request;
import dev.holdfast.testkit.envoy.RequestOutcome;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;

/** What scenarios see of an Envoy, real or fake. */
interface Proxy extends AutoCloseable {
  /** Whether it has begun to serve. */
  boolean isReady();

  /** What a request for a host gets at a listener. */
  Seen get(String listener, String host);

  /** A counter or gauge. */
  long stat(String name);

  Set<String> activeClusters();

  Set<String> warmingClusters();

  void await(String what, Callable<Boolean> condition);

  @Override
  void close();

  default void awaitReady() {
    await("ready", this::isReady);
  }

  /** Waits until a request gets what it should. */
  default void awaitSeen(String listener, String host, Seen wanted) {
    await(host + " gets " + wanted, () -> get(listener, host).equals(wanted));
  }

  /**
   * What came of a request.
   *
   * @param status its HTTP status; 0 if the connection failed
   * @param backend who answered; empty if Envoy did
   */
  record Seen(int status, String backend) {
    static final Seen NOTHING = new Seen(0, "");
    static final Seen NO_ROUTE = new Seen(404, "");
    static final Seen UNAVAILABLE = new Seen(503, "");

    static Seen from(String backend) {
      return new Seen(200, backend);
    }
  }

  /** The real one. */
  record Real(EnvoyProcess envoy) implements Proxy {
    @Override
    public boolean isReady() {
      return envoy.admin().isReady();
    }

    @Override
    public Seen get(String listener, String host) {
      OptionalInt port = envoy.admin().listenerPort(listener);
      if (port.isEmpty()) {
        return Seen.NOTHING;
      }
      try {
        Http.Response response = Http.on(port.getAsInt()).get("/").host(host).send();
        return new Seen(response.status(), response.backend());
      } catch (UncheckedIOException e) {
        return Seen.NOTHING;
      }
    }

    @Override
    public long stat(String name) {
      return envoy.admin().stat(name);
    }

    @Override
    public Set<String> activeClusters() {
      return clusters("dynamic_active_clusters");
    }

    @Override
    public Set<String> warmingClusters() {
      return clusters("dynamic_warming_clusters");
    }

    private Set<String> clusters(String list) {
      Set<String> names = new TreeSet<>();
      envoy
          .admin()
          .configDump(list)
          .forEach(entry -> names.add(entry.getAsJsonObject("cluster").get("name").getAsString()));
      return names;
    }

    @Override
    public void await(String what, Callable<Boolean> condition) {
      envoy.admin().await(what, condition);
    }

    @Override
    public void close() {
      envoy.close();
    }
  }

  /**
   * The fake one.
   *
   * @param envoy the fake
   * @param backends who is where, by address
   */
  record Fake(FakeEnvoy envoy, Map<String, String> backends) implements Proxy {
    @Override
    public boolean isReady() {
      return envoy.isReady();
    }

    @Override
    public Seen get(String listener, String host) {
      RequestOutcome outcome = envoy.route(Request.of(host, "/").at(listener));
      return new Seen(
          outcome.status(),
          outcome.endpoints().isEmpty()
              ? ""
              : backends.getOrDefault(outcome.endpoints().get(0), "?"));
    }

    @Override
    public long stat(String name) {
      return envoy.stat(name);
    }

    @Override
    public Set<String> activeClusters() {
      return envoy.activeClusters();
    }

    @Override
    public Set<String> warmingClusters() {
      return envoy.warmingClusters();
    }

    @Override
    public void await(String what, Callable<Boolean> condition) {
      envoy.await(
          what,
          fake -> {
            try {
              return condition.call();
            } catch (Exception e) {
              throw new AssertionError(what, e);
            }
          });
    }

    @Override
    public void close() {
      envoy.close();
    }
  }
}
