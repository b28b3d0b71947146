// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.kubernetes;

import com.sun.net.httpserver.HttpServer;
import dev.holdfast.benchmarks.report.Report;
import dev.holdfast.benchmarks.report.Row;
import dev.holdfast.benchmarks.report.TextReport;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Both sides in one cluster, each with an equal set of objects in a namespace of its own, so that
 * neither writes into the other's statuses. One of them works at a time; the other one is idle.
 */
final class KubernetesComparison {
  private static final int CREATORS = 12;
  private static final int WARMUPS = 5;
  private static final Duration LONGEST_SETTLING = Duration.ofMinutes(10);

  /**
   * Between two edits of one side. Contour answers an edit at once if its last one is half a second
   * ago, and otherwise waits for more of them.
   */
  private static final long APART_NANOS = 600_000_000;

  private final KubernetesOptions options;
  private final Programs programs;
  private final Path directory;
  private final PrintStream progress;
  private final Holdfast holdfast;
  private final Contour contour;
  private final HostEdits edits = new HostEdits();
  private int created;

  KubernetesComparison(
      KubernetesOptions options, Programs programs, Path directory, PrintStream progress) {
    this.options = options;
    this.programs = programs;
    this.directory = directory;
    this.progress = progress;
    holdfast = new Holdfast(programs.holdfast(), programs.manifests());
    contour = new Contour(programs.contour(), programs.kube().resolve("contour-crds.yaml"));
  }

  Report run() {
    List<Row> rows = new ArrayList<>();
    System.setProperty("sun.net.httpserver.nodelay", "true");
    HttpServer backend = backend();
    try (Cluster cluster = new Cluster(programs.kube(), directory)) {
      for (ControlPlane side : List.of(holdfast, contour)) {
        side.install(cluster);
        Objects.createNamespace(cluster.api(), side.namespace());
      }
      for (int hosts : options.hosts()) {
        fill(cluster, hosts, backend.getAddress().getPort());
        settle(cluster, hosts);
        progress.printf("%,d hosts: measuring ...%n", hosts);
        Patience.pause(Duration.ofSeconds(options.restSeconds()).toNanos());
        List<Row> measured = measure(cluster, hosts);
        rows.addAll(measured);
        progress.print(TextReport.render(report(measured))); // a run takes long, and may be ended
      }
    } finally {
      backend.stop(0);
    }
    return report(rows);
  }

  private Report report(List<Row> rows) {
    return new Report("holdfast", "contour 1.33.8", setting(), rows);
  }

  private static HttpServer backend() {
    try {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(KubernetesMain.ADDRESS, 0), /* backlog= */ 0);
      server.createContext(
          "/",
          exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
          });
      server.start();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // Objects.

  private void fill(Cluster cluster, int hosts, int port) {
    progress.printf("%,d hosts: creating objects ...%n", hosts);
    int from = created;
    inParallel(
        CREATORS,
        hosts - from,
        i -> {
          for (ControlPlane side : List.of(holdfast, contour)) {
            Objects.createHost(
                cluster.api(), side.namespace(), from + i, KubernetesMain.ADDRESS, port);
          }
        });
    created = hosts;
  }

  /** Some work. */
  private interface Step {
    void run(int number);
  }

  private static void inParallel(int threads, int count, Step step) {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<CompletableFuture<Void>> parts = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int number = i;
        parts.add(CompletableFuture.runAsync(() -> step.run(number), executor));
      }
      CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new)).join();
    } catch (CompletionException e) {
      throw new IllegalStateException(e.getCause());
    } finally {
      executor.shutdownNow();
    }
  }

  /**
   * Lets both write the statuses of new objects, which takes each of them minutes and is nothing
   * that an edit should have to compete with.
   */
  private void settle(Cluster cluster, int hosts) {
    holdfast.forget("settling-" + hosts);
    List<ControlPlane> sides = List.of(holdfast, contour);
    inParallel(sides.size(), sides.size(), i -> settle(cluster, sides.get(i), hosts));
  }

  private void settle(Cluster cluster, ControlPlane side, int hosts) {
    long from = System.nanoTime();
    Path bootstrap = side.bootstrap(directory);
    try (Child plane = side.start(directory, cluster, /* fast= */ true)) {
      Patience.await("xDS port", LONGEST_SETTLING, plane, () -> RunningSide.isOpen(side.xdsPort()));
      try (Child envoy = RunningSide.startEnvoy(side, directory, programs.envoy(), bootstrap)) {
        Patience.await(
            "status of all objects",
            LONGEST_SETTLING,
            plane,
            () -> {
              Patience.pause(hosts * 500_000L);
              return written(cluster, side) == hosts;
            });
        envoy.requireAlive();
      }
    }
    progress.printf(
        "%,d hosts: %s has written all statuses after %.1f s%n",
        hosts, side.name(), (System.nanoTime() - from) / 1e9);
  }

  private static int written(Cluster cluster, ControlPlane side) {
    String list = cluster.api().get(Objects.proxies(side.namespace()) + "?resourceVersion=0");
    int count = 0;
    for (int i = list.indexOf(side.statusMark());
        i >= 0;
        i = list.indexOf(side.statusMark(), i + 1)) {
      count++;
    }
    return count;
  }

  // Measurements.

  private List<Row> measure(Cluster cluster, int hosts) {
    SideResult ours = new SideResult();
    SideResult theirs = new SideResult();
    holdfast.forget("hosts-" + hosts);
    ours.start = start(cluster, holdfast, hosts);
    theirs.start = start(cluster, contour, hosts);
    try (RunningSide peer = running(cluster, contour, hosts);
        RunningSide us = running(cluster, holdfast, hosts)) {
      theirs.startAgain = peer.readyMillis();
      ours.startAgain = us.readyMillis();
      editInTurns(cluster, hosts, us, ours, peer, theirs);
      rest(us, ours, peer, theirs);
      progress.printf("%,d hosts: storms of edits ...%n", hosts);
      edits.storm(cluster.api(), hosts, holdfast, us, ours, options.stormSeconds());
      edits.storm(cluster.api(), hosts, contour, peer, theirs, options.stormSeconds());
    }
    return KubernetesRows.of(hosts, ours, theirs);
  }

  private RunningSide running(Cluster cluster, ControlPlane side, int hosts) {
    progress.printf("%,d hosts: %s starts ...%n", hosts, side.name());
    return new RunningSide(side, directory, cluster, programs.envoy(), hosts - 1);
  }

  private double start(Cluster cluster, ControlPlane side, int hosts) {
    try (RunningSide started = running(cluster, side, hosts)) {
      return started.readyMillis();
    }
  }

  private void editInTurns(
      Cluster cluster,
      int hosts,
      RunningSide us,
      SideResult ours,
      RunningSide peer,
      SideResult theirs) {
    progress.printf("%,d hosts: %d edits each ...%n", hosts, options.edits());
    long end = System.nanoTime() + Duration.ofSeconds(options.editSeconds()).toNanos();
    for (int i = -WARMUPS; i < options.edits() && System.nanoTime() < end; i++) {
      boolean counts = i >= 0;
      if (i % 2 == 0) {
        edits.single(cluster.api(), hosts, holdfast, us, ours, counts);
        edits.single(cluster.api(), hosts, contour, peer, theirs, counts);
      } else {
        edits.single(cluster.api(), hosts, contour, peer, theirs, counts);
        edits.single(cluster.api(), hosts, holdfast, us, ours, counts);
      }
      Patience.pause(APART_NANOS);
    }
  }

  private void rest(RunningSide us, SideResult ours, RunningSide peer, SideResult theirs) {
    progress.println("at rest ...");
    Patience.pause(Duration.ofSeconds(2).toNanos());
    long ourCpu = us.plane().cpuMillis();
    long theirCpu = peer.plane().cpuMillis();
    Patience.pause(Duration.ofSeconds(options.restSeconds()).toNanos());
    ours.restCpu = (us.plane().cpuMillis() - ourCpu) / (double) options.restSeconds();
    theirs.restCpu = (peer.plane().cpuMillis() - theirCpu) / (double) options.restSeconds();
    ours.restMib = us.plane().residentKib() / 1024.0;
    theirs.restMib = peer.plane().residentKib() / 1024.0;
    ours.restEnvoyMib = us.envoy().residentKib() / 1024.0;
    theirs.restEnvoyMib = peer.envoy().residentKib() / 1024.0;
  }

  private List<String> setting() {
    return List.of(
        String.format(
            Locale.ROOT,
            "%s %s, %d cores; load average %.1f at the end (its own included)",
            System.getProperty("java.vm.name"),
            Runtime.version(),
            Runtime.getRuntime().availableProcessors(),
            ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()),
        String.format(
            Locale.ROOT,
            "one kube-apiserver and etcd; an Envoy each; at most %d edits each, in turns; storms of %d s",
            options.edits(),
            options.stormSeconds()),
        "median [lower .. upper quartile]; ratio = holdfast / contour");
  }
}
