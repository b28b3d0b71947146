// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.EnvoyBinary;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.envoy.Http;
import dev.holdfast.interop.serve.Docs;
import dev.holdfast.interop.serve.Plane;
import dev.holdfast.interop.serve.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * What a scout costs whom: the same edits without one and with one that the server runs and sends
 * requests through, in turn, on the same machine. Prints a table; docs/scouts.md has one of an idle
 * machine: {@code -Dholdfast.scouts.objects=1000 -Dholdfast.scouts.edits=100}.
 */
class ScoutCostTest {
  private static final int OBJECTS = Integer.getInteger("holdfast.scouts.objects", 200);
  private static final int EDITS = Integer.getInteger("holdfast.scouts.edits", 10);
  private static final int WARM_UP = 5;
  private static final Set<Integer> BAD = new TreeSet<>(Set.of(7, OBJECTS / 2, OBJECTS - 3));

  /** What was measured in one of the two ways. */
  private record Cost(
      List<Double> millis, double seconds, long pushes, double scoutSeconds, long scoutMegabytes) {
    double percentile(double part) {
      List<Double> sorted = millis.stream().sorted().toList();
      return sorted.get((int) Math.ceil(part * sorted.size()) - 1);
    }

    String row(String name) {
      return String.format(
          Locale.ROOT,
          "%-14s | %8.0f ms %8.0f ms | %8.2f s %6d pushes | %6.2f s CPU %4d MB",
          name,
          percentile(0.5),
          percentile(0.99),
          seconds,
          pushes,
          scoutSeconds,
          scoutMegabytes);
    }
  }

  @Test
  void aGoodEditAndManyOfWhichThreeAreBad() throws Exception {
    Cost without = measure(false);
    Cost with = measure(true);
    System.out.printf(
        "scout cost: %d edits of one of %d hosts, from the file to an answer by the new route,"
            + " p50 and p99; then %d new hosts at once of which 3 are bad%n%s%n%s%n",
        EDITS, OBJECTS, OBJECTS, without.row("no scout"), with.row("one scout"));
  }

  private static Cost measure(boolean isScouted) throws Exception {
    try (Backend one = Backend.start("one");
        Backend two = Backend.start("two");
        Plane plane =
            Plane.start(
                "services.yaml",
                Docs.of(Yaml.service("one", one.port()), Yaml.service("two", two.port())),
                "edited.yaml",
                Hosts.good("edited", "one"),
                "hosts.yaml",
                hosts("old", Set.of()))) {
      EnvoyBootstrap bootstrap = EnvoyBootstrap.delta(plane.xdsPort());
      if (isScouted) {
        plane.down();
        plane.withScout(EnvoyBinary.find(), bootstrap).up();
      }
      try (EnvoyProcess first = EnvoyProcess.start(bootstrap.node("e1"));
          EnvoyProcess second = EnvoyProcess.start(bootstrap.node("e2"))) {
        plane.awaitProgrammed("HTTPProxy/default/edited", 1);
        if (isScouted) {
          Plane.await("the scout is asked", () -> ScoutsTest.idle(plane).equals("\"\""));
        }
        Http http = first.http("ingress_http");
        try (Load load =
            new Load(second.admin().awaitListenerPort("ingress_http"), List.of(fqdn("old", 1)))) {
          List<Double> millis = new ArrayList<>();
          for (int i = -WARM_UP; i < EDITS; i++) {
            double took = edit(plane, http, i % 2 == 0 ? "two" : "one");
            if (i >= 0) {
              millis.add(took);
            }
          }
          long pushes = plane.metric("holdfast_responses_total");
          Duration cpu = scout().cpu();
          long began = System.nanoTime();
          plane.write("many.yaml", hosts("new", BAD));
          for (int i = 0; i < OBJECTS; i += Math.max(1, OBJECTS / 20)) {
            if (!BAD.contains(i)) {
              plane.awaitProgrammed("HTTPProxy/default/new" + i, 1);
            }
          }
          for (int bad : BAD) {
            plane.awaitSaid("HTTPProxy/default/new" + bad, "Programmed", "RejectedNew");
          }
          double seconds = (System.nanoTime() - began) / 1e9;
          assertThat(plane.metric("holdfast_objects_programmed{reason=\"RejectedNew\"}"))
              .isEqualTo(BAD.size());
          assertThat(load.failures()).isEmpty();
          Scout now = scout();
          return new Cost(
              millis,
              seconds,
              plane.metric("holdfast_responses_total") - pushes,
              now.cpu().minus(cpu).toMillis() / 1000.0,
              now.megabytes());
        }
      }
    }
  }

  private static double edit(Plane plane, Http http, String backend) throws InterruptedException {
    // The next one comes when everything is at rest.
    Plane.await(
        "all is quiet", () -> plane.metric("holdfast_objects_programmed{reason=\"Pending\"}") == 0);
    long began = System.nanoTime();
    plane.write("edited.yaml", Hosts.good("edited", backend));
    while (!http.get("/").host(Hosts.fqdn("edited")).send().backend().equals(backend)) {
      Thread.sleep(1);
    }
    return (System.nanoTime() - began) / 1e6;
  }

  private static String fqdn(String prefix, int number) {
    return Hosts.fqdn(prefix + number);
  }

  private static String hosts(String prefix, Set<Integer> bad) {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < OBJECTS; i++) {
      String name = prefix + i;
      all.add(bad.contains(i) ? Hosts.badWithoutAWord(name) : Hosts.good(name, "one"));
    }
    return Docs.of(all.toArray(new String[0]));
  }

  /** What the scouts of this process have used. */
  private record Scout(Duration cpu, long megabytes) {}

  private static Scout scout() throws IOException {
    Duration cpu = Duration.ZERO;
    long megabytes = 0;
    for (ProcessHandle process : ProcessHandle.current().descendants().toList()) {
      Path proc = Path.of("/proc", Long.toString(process.pid()));
      String command = process.info().commandLine().orElse("");
      if (command.contains("holdfast-envoy-") && command.contains("bootstrap.yaml")) {
        cpu = cpu.plus(process.info().totalCpuDuration().orElse(Duration.ZERO));
        if (Files.isReadable(proc.resolve("status"))) {
          for (String line : Files.readAllLines(proc.resolve("status"))) {
            if (line.startsWith("VmRSS:")) {
              megabytes += Long.parseLong(line.replaceAll("[^0-9]", "")) >> 10;
            }
          }
        }
      }
    }
    return new Scout(cpu, megabytes);
  }
}
