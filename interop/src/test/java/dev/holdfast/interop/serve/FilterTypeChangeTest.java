// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.Pace;
import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.Http;
import dev.holdfast.interop.envoy.KeepAlive;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An author gives a filter another type and keeps its name. Envoy subscribes to a filter's
 * configuration with the types that it may have, and would refuse another one.
 */
class FilterTypeChangeTest {
  private static final String TYPES = "type.googleapis.com/envoy.extensions.filters.http.";
  private static final String HOST = "typed.example";
  private static final String KEPT = "kept connection";
  private static final String POLICY = "ExtensionPolicy/default/typed";

  /** Closes a part of the host by a script. */
  private static final String LUA =
      """
      httpFilters:
      - name: guard
        typedConfig:
          "@type": %slua.v3.Lua
          default_source_code:
            inline_string: |
              function envoy_on_request(handle)
                if handle:headers():get(":path") == "/closed" then
                  handle:respond({[":status"] = "403"}, "lua")
                end
              end
              function envoy_on_response(handle) handle:headers():add("x-seen", "lua") end
      """
          .formatted(TYPES);

  /** Closes the same part by an access rule. */
  private static final String RBAC =
      """
      httpFilters:
      - name: guard
        typedConfig:
          "@type": %srbac.v3.RBAC
          rules:
            action: DENY
            policies:
              closed:
                permissions: [{url_path: {path: {exact: /closed}}}]
                principals: [{any: true}]
      """
          .formatted(TYPES);

  /** A pattern that is too large for Envoy. */
  private static final String TOO_BIG = "safe_regex: {regex: \"/[a-z0-9]{1,200}/x\"}";

  /** Closes nothing. */
  private static final String MUTATION =
      """
      httpFilters:
      - name: guard
        typedConfig:
          "@type": %sheader_mutation.v3.HeaderMutation
          mutations:
            response_mutations: [{append: {header: {key: x-seen, value: mutation}}}]
      """
          .formatted(TYPES);

  private static final String LUA_PER_ROUTE =
      LUA
          + """
          perRoute:
          - name: guard
            typedConfig:
              "@type": %slua.v3.LuaPerRoute
              source_code: {inline_string: "%s"}
          """
              .formatted(
                  TYPES,
                  "function envoy_on_response(h) h:headers():add('x-seen', 'lua-per-route') end");

  private static String policy(String spec) {
    return Docs.policy("typed", "targetRef: {name: typed}\n" + spec);
  }

  /** What a client sees of the filter: on an open path, and on the one that a guard closes. */
  private static String seen(Rig rig) {
    Http.Response open = rig.http().get("/").host(HOST).send();
    Http.Response closed = rig.http().get("/closed").host(HOST).send();
    return open.status() + open.header("x-seen") + " " + closed.status();
  }

  @ParameterizedTest
  @ValueSource(strings = {"delta", "sotw"})
  void anotherTypeUnderTheSameNameWorksAndCostsNoRequest(String protocol) {
    try (Backend one = Backend.start("one");
        Rig rig = start(protocol, one)) {
      rig.plane().awaitProgrammed("HTTPProxy/default/typed", 1);
      try (Asking asking = new Asking(rig)) {
        rig.apply(POLICY, policy(LUA));
        Rig.awaitSeen("200lua 403", () -> seen(rig));

        rig.apply(POLICY, policy(RBAC));
        Rig.awaitSeen("200 403", () -> seen(rig));

        rig.apply(POLICY, policy(LUA));
        Rig.awaitSeen("200lua 403", () -> seen(rig));

        rig.apply(POLICY, policy(MUTATION));
        Rig.awaitSeen("200mutation 200", () -> seen(rig));

        rig.apply(POLICY, policy(LUA_PER_ROUTE));
        Rig.awaitSeen("200lua-per-route 200", () -> seen(rig));

        rig.delete(POLICY);
        Rig.awaitSeen("200 200", () -> seen(rig));

        rig.apply(POLICY, policy(RBAC));
        Rig.awaitSeen("200 403", () -> seen(rig));
        assertThat(rig.plane().items("/api/v1/holds")).isEmpty();
        assertThat(rig.plane().metric("holdfast_nacks_total")).isZero();
        asking.someMore();
        asking.stop();
        assertThat(asking.failures).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"delta", "sotw"})
  void whatBothTypesCloseIsClosedThroughout(String protocol) {
    try (Backend one = Backend.start("one");
        Rig rig = start(protocol, one)) {
      rig.apply(POLICY, policy(LUA));
      Rig.awaitSeen("200lua 403", () -> seen(rig));
      try (Asking asking = new Asking(rig)) {
        asking.guarded(true);
        rig.apply(POLICY, policy(RBAC));
        Rig.awaitSeen("200 403", () -> seen(rig));
        asking.stop();
        assertThat(asking.unguarded).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"delta", "sotw"})
  void whatBothNamesCloseIsClosedOnNewConnectionsThroughout(String protocol) {
    try (Backend one = Backend.start("one");
        Rig rig = start(protocol, one)) {
      rig.apply(POLICY, policy(RBAC));
      Rig.awaitSeen("200 403", () -> seen(rig));
      try (Asking asking = new Asking(rig)) {
        asking.guarded(true);
        rig.apply(POLICY, policy(RBAC.replace("name: guard", "name: warden")));
        rig.apply(POLICY, policy(LUA.replace("name: guard", "name: keeper")));
        Rig.awaitSeen("200lua 403", () -> seen(rig));
        asking.stop();
        assertThat(asking.unguarded).allMatch(seen -> seen.startsWith(KEPT));
        assertThat(asking.failures).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"delta", "sotw"})
  void aTypeThatEnvoyRefusesLeavesTheOldOneInForce(String protocol) {
    try (Backend one = Backend.start("one");
        Rig rig = start(protocol, one)) {
      rig.apply(POLICY, policy(LUA));
      Rig.awaitSeen("200lua 403", () -> seen(rig));
      try (Asking asking = new Asking(rig)) {
        asking.guarded(true);
        rig.put(POLICY, policy(RBAC.replace("exact: /closed", TOO_BIG)));
        rig.plane().awaitMessage(POLICY, "Programmed", "generation 2 rejected by");
        asking.someMore();
        asking.stop();
        assertThat(asking.unguarded).isEmpty();
        assertThat(asking.failures).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"delta", "sotw"})
  void aNewHostIsNeverOpenWithoutItsGuard(String protocol) {
    try (Backend one = Backend.start("one");
        Rig rig = start(protocol, one)) {
      rig.plane().awaitProgrammed("HTTPProxy/default/typed", 1);
      int port = rig.admin().awaitListenerPort("ingress_http");
      List<String> open = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        String name = "fresh" + i;
        String routes = "routes: [{services: [{name: one, port: 80}]}]\n";
        rig.write(
            name + ".yaml",
            Docs.of(
                Yaml.root(name, name + ".example", routes),
                Docs.policy(
                    name, "targetRef: {name: " + name + "}\n" + (i % 2 == 0 ? LUA : RBAC))));
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(75);
        int status = 404;
        while (status != 403 && System.nanoTime() < deadline) {
          status = Http.on(port).get("/closed").host(name + ".example").send().status();
          if (status != 404 && status != 403) {
            open.add(name + ": " + status);
          }
        }
        assertThat(status).as(name).isEqualTo(403);
      }
      assertThat(open).isEmpty();
    }
  }

  private static Rig start(String protocol, Backend one) {
    String routes = "routes: [{services: [{name: one, port: 80}]}]\n";
    return Rig.start(
        protocol,
        "base.yaml",
        Docs.of(
            Yaml.service("one", one.port()),
            Yaml.root("typed", HOST, routes),
            Yaml.root("other", "other.example", routes)));
  }

  /** Clients that ask all the time, on new connections and on connections that they keep. */
  private static final class Asking implements AutoCloseable {
    final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
    final ConcurrentLinkedQueue<String> unguarded = new ConcurrentLinkedQueue<>();
    final AtomicLong requests = new AtomicLong();
    private final List<Thread> threads;
    private volatile boolean guarded;
    private volatile boolean stopped;

    Asking(Rig rig) {
      int port = rig.admin().awaitListenerPort("ingress_http");
      threads =
          List.of(
              new Thread(() -> run(port, /* keep= */ true), KEPT),
              new Thread(() -> run(port, /* keep= */ false), "new connections"));
      threads.forEach(Thread::start);
    }

    void guarded(boolean now) {
      guarded = now;
    }

    private void run(int port, boolean keep) {
      String name = Thread.currentThread().getName();
      KeepAlive kept = new KeepAlive(port, null);
      try {
        while (!stopped) {
          expect(kept, HOST, "/", 200);
          expect(kept, "other.example", "/closed", 200);
          boolean before = guarded;
          if (!keep) {
            kept.close();
          }
          Http.Response response = kept.get(HOST, "/closed");
          if (before && guarded && response.status() != 403) {
            // Whoever is asked to connect again has connected to the listener of before.
            boolean isOld = keep || response.header("connection").equalsIgnoreCase("close");
            unguarded.add((isOld ? KEPT : name) + ": " + response.status());
          }
          if (!keep) {
            kept.close();
          }
          Pace.keep();
        }
      } catch (IOException | UncheckedIOException e) {
        failures.add(name + ": " + e);
      } finally {
        kept.close();
      }
    }

    private void expect(KeepAlive kept, String host, String path, int status) throws IOException {
      Http.Response response = kept.get(host, path);
      requests.incrementAndGet();
      if (response.status() != status) {
        failures.add(Thread.currentThread().getName() + " " + host + path + response.status());
      }
    }

    /** Waits until each client has asked some more. */
    void someMore() {
      long enough = requests.get() + 100;
      Plane.await("clients go on", () -> requests.get() > enough);
    }

    void stop() {
      stopped = true;
      try {
        for (Thread thread : threads) {
          thread.join(60_000);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void close() {
      stop();
    }
  }
}
