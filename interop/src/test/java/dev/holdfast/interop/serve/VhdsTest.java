// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.holdfast.interop.Pace;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.envoy.Http;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hosts that real Envoys get one by one (VHDS). Clients ask all the time; a host that is there is
 * never missing.
 */
class VhdsTest {
  private static final int HOSTS = 50;
  private static final String TABLE = "ingress_http_vhds";
  private static final String TABLES_SENT = "holdfast_responses_total{type=\"RouteConfiguration\"}";

  @TempDir Path root;

  private static String fqdn(int host) {
    return "h" + host + ".example.com";
  }

  private static String host(int host, int status) {
    return Yaml.root(
        "h" + host, fqdn(host), "routes: [{directResponsePolicy: {statusCode: " + status + "}}]");
  }

  /** Not for an Envoy: a regular expression that is too large for it. */
  private static String bad(int host) {
    return Yaml.root(
        "h" + host,
        fqdn(host),
        "routes: [{conditions: [{regex: '/a{999}'}], directResponsePolicy: {statusCode: 299}}]");
  }

  private static void writeAll(PlaneProcess plane) {
    for (int i = 0; i < HOSTS; i++) {
      plane.write("h" + i + ".yaml", host(i, 201));
    }
  }

  private static int status(EnvoyProcess envoy, int host) {
    return envoy.http("ingress_http").get("/").host(fqdn(host)).send().status();
  }

  private static void awaitStatus(EnvoyProcess envoy, int host, int wanted) {
    Plane.awaitAsserted(() -> assertThat(status(envoy, host)).as(fqdn(host)).isEqualTo(wanted));
  }

  private static String said(PlaneProcess plane, int host) throws Exception {
    JsonObject object = plane.objects().get("HTTPProxy/h" + host);
    return object == null
        ? ""
        : PlaneProcess.programmed(object)
            + " "
            + object.get("servedGeneration")
            + "/"
            + object.get("generation");
  }

  private static void awaitSaid(PlaneProcess plane, int host, String wanted) {
    Plane.awaitAsserted(() -> assertThat(said(plane, host)).as("h" + host).isEqualTo(wanted));
  }

  /** Clients that ask an Envoy for hosts 0 to 9, which are not edited. */
  private static final class Clients implements AutoCloseable {
    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicLong answers = new AtomicLong();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopped;

    /** Of an Envoy that may still be starting: its port is found before each request. */
    Clients(EnvoyProcess envoy) {
      for (int i = 0; i < 2; i++) {
        int first = i * 5;
        Thread thread = new Thread(() -> run(envoy, first), "client-" + i);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
      }
    }

    private void run(EnvoyProcess envoy, int first) {
      OptionalInt port = OptionalInt.empty();
      for (int i = 0; !stopped; i++) {
        Pace.keep();
        try {
          port = port.isEmpty() ? envoy.admin().listenerPort("ingress_http") : port;
          if (port.isEmpty()) {
            continue;
          }
          int host = first + i % 5;
          int status = Http.on(port.getAsInt()).get("/").host(fqdn(host)).send().status();
          answers.incrementAndGet();
          if (status != 201) {
            failures.add(fqdn(host) + ": " + status);
          }
        } catch (UncheckedIOException e) {
          if (answers.get() > 0) {
            failures.add(e.toString());
          }
        }
      }
    }

    /** There were requests, and each was answered as it should be. */
    void check() {
      long before = answers.get();
      Plane.awaitAsserted(() -> assertThat(answers.get()).isGreaterThan(before + 20));
      assertThat(failures).isEmpty();
    }

    @Override
    public void close() {
      stopped = true;
      for (Thread thread : threads) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      assertThat(failures).isEmpty();
    }
  }

  @Test
  void noHostIsMissingAtStartsAndEditsAndKills() throws Exception {
    try (PlaneProcess plane = new PlaneProcess(root).withVhds(true)) {
      writeAll(plane);
      plane.up();
      for (int i = 0; i < 3; i++) {
        try (EnvoyProcess envoy = EnvoyProcess.start(EnvoyBootstrap.delta(plane.xdsPort()));
            Clients clients = new Clients(envoy)) {
          clients.check();
          assertThat(tables(envoy)).containsExactly(TABLE);
          double tables = PlaneProcess.sum(plane.text("/metrics"), TABLES_SENT);

          plane.write("h20.yaml", host(20, 210 + i));
          awaitStatus(envoy, 20, 210 + i);
          awaitSaid(plane, 20, "True/Programmed " + (2 + 2L * i) + "/" + (2 + 2L * i));
          assertThat(PlaneProcess.sum(plane.text("/metrics"), TABLES_SENT)).isEqualTo(tables);

          plane.end("KILL");
          clients.check();
          plane.write("h20.yaml", host(20, 220 + i));
          plane.up();
          awaitStatus(envoy, 20, 220 + i);
          awaitSaid(plane, 20, "True/Programmed " + (3 + 2L * i) + "/" + (3 + 2L * i));
          clients.check();
        }
      }
    }
  }

  @Test
  void theFormIsSwitchedOnAndOffUnderLoad() throws Exception {
    try (PlaneProcess plane = new PlaneProcess(root)) {
      writeAll(plane);
      plane.up();
      try (EnvoyProcess envoy = EnvoyProcess.start(EnvoyBootstrap.delta(plane.xdsPort()));
          Clients clients = new Clients(envoy)) {
        clients.check();
        for (int i = 0; i < 6; i++) {
          boolean vhds = i % 2 == 0;
          plane.end("KILL");
          plane.withVhds(vhds).up();
          plane.write("h21.yaml", host(21, 210 + i));
          awaitStatus(envoy, 21, 210 + i);
          awaitSaid(plane, 21, "True/Programmed " + (2 + i) + "/" + (2 + i));
          clients.check();
          // Until the old table is dropped, which brings other traps than a quick change.
          String old = vhds ? "ingress_http" : TABLE;
          if (i >= 2) {
            Plane.awaitAsserted(() -> assertThat(tables(envoy)).doesNotContain(old));
          }
        }
      }
    }
  }

  private static List<String> tables(EnvoyProcess envoy) {
    return envoy.admin().configDump("dynamic_route_configs").stream()
        .map(entry -> entry.getAsJsonObject("route_config").get("name").getAsString())
        .toList();
  }

  @Test
  void withoutHostsTheListenerIsThereAtOnceAndHostsComeAndGo() throws Exception {
    try (PlaneProcess plane = new PlaneProcess(root).withVhds(true)) {
      plane.up();
      long began = System.nanoTime();
      try (EnvoyProcess envoy = EnvoyProcess.start(EnvoyBootstrap.delta(plane.xdsPort()))) {
        envoy.admin().awaitReady();
        assertThat(System.nanoTime() - began).isLessThan(14_000_000_000L);
        awaitStatus(envoy, 0, 404);
        plane.write("h0.yaml", host(0, 201));
        awaitStatus(envoy, 0, 201);
        plane.write("h0.yaml", null);
        awaitStatus(envoy, 0, 404);
        plane.write("h0.yaml", host(0, 202));
        awaitStatus(envoy, 0, 202);
      }
    }
  }

  @Test
  void aBadHostIsTheOnlyOneThatIsHeldAlsoInTheFirstResponse() throws Exception {
    try (PlaneProcess plane = new PlaneProcess(root).withVhds(true)) {
      writeAll(plane);
      plane.write("h30.yaml", bad(30));
      plane.up();
      try (EnvoyProcess envoy = EnvoyProcess.start(EnvoyBootstrap.delta(plane.xdsPort()))) {
        awaitSaid(plane, 30, "False/RejectedNew 0/1");
        for (int i = 0; i < HOSTS; i++) {
          if (i != 30) {
            awaitStatus(envoy, i, 201);
          }
        }
        try (Clients clients = new Clients(envoy)) {
          plane.write("h30.yaml", host(30, 201));
          awaitStatus(envoy, 30, 201);
          plane.write("h31.yaml", bad(31));
          plane.write("h32.yaml", host(32, 232));
          awaitSaid(plane, 31, "False/Rejected 1/2");
          awaitSaid(plane, 32, "True/Programmed 2/2");
          assertThat(status(envoy, 31)).isEqualTo(201);
          assertThat(status(envoy, 32)).isEqualTo(232);
          clients.check();
        }
      }
    }
  }

  @Test
  void aFleetOfBothFormsHasTheSameHosts() throws Exception {
    try (PlaneProcess plane = new PlaneProcess(root).withVhds(true)) {
      writeAll(plane);
      plane.up();
      try (EnvoyProcess each =
              EnvoyProcess.start(EnvoyBootstrap.delta(plane.xdsPort()).node("each"));
          EnvoyProcess table =
              EnvoyProcess.start(EnvoyBootstrap.sotw(plane.xdsPort()).node("table"));
          Clients ofEach = new Clients(each);
          Clients ofTable = new Clients(table)) {
        ofEach.check();
        ofTable.check();
        assertThat(tables(each)).containsExactly(TABLE);
        assertThat(tables(table)).containsExactly("ingress_http");

        plane.write("h31.yaml", bad(31));
        plane.write("h32.yaml", host(32, 232));

        awaitSaid(plane, 31, "False/Rejected 1/2");
        awaitSaid(plane, 32, "True/Programmed 2/2");
        for (EnvoyProcess envoy : List.of(each, table)) {
          assertThat(status(envoy, 31)).isEqualTo(201);
          awaitStatus(envoy, 32, 232);
        }
      }
    }
  }
}
