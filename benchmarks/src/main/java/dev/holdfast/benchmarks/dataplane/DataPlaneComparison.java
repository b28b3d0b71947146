// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.dataplane;

import static java.util.Objects.requireNonNull;

import dev.holdfast.benchmarks.report.Report;
import dev.holdfast.benchmarks.report.Row;
import dev.holdfast.benchmarks.report.Samples;
import dev.holdfast.benchmarks.report.Unit;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The measurements, one after the other; in each the sides take turns. */
final class DataPlaneComparison {
  private static final int UNDER_WAY = 32;

  private final DataPlaneOptions options;
  private final PrintStream progress;
  private final List<Row> rows = new ArrayList<>();

  DataPlaneComparison(DataPlaneOptions options, PrintStream progress) {
    this.options = options;
    this.progress = progress;
  }

  Report run() {
    progress.println("channels with many routes ...");
    withMeshes(
        MeshVariant.PLAIN, options.hosts(), options.routes(), /* clusters= */ 1, this::routes);
    progress.println("channels with weighted round robin ...");
    withMeshes(
        MeshVariant.WEIGHTED,
        /* hosts= */ 1,
        /* routes= */ 1,
        /* clusters= */ 1,
        meshes -> calls(meshes, "weighted_", "weighted round robin: "));
    progress.println("channels with TLS ...");
    withMeshes(
        MeshVariant.TLS,
        /* hosts= */ 1,
        /* routes= */ 1,
        /* clusters= */ 1,
        meshes -> calls(meshes, "tls_", "TLS: "));
    progress.println("channels with many clusters ...");
    withMeshes(
        MeshVariant.PLAIN, /* hosts= */ 1, options.clusters(), options.clusters(), this::changes);
    return new Report("holdfast", "grpc-xds 1.85.1", setting(), rows);
  }

  private interface Measurement {
    void of(Map<DataPlane, Mesh> meshes);
  }

  private static void withMeshes(
      MeshVariant variant, int hosts, int routes, int clusters, Measurement measurement) {
    Map<DataPlane, Mesh> meshes = new EnumMap<>(DataPlane.class);
    try {
      for (DataPlane side : DataPlane.values()) {
        meshes.put(side, new Mesh(side, variant, hosts, routes, clusters));
      }
      measurement.of(meshes);
    } finally {
      meshes.values().forEach(Mesh::close);
    }
  }

  private void routes(Map<DataPlane, Mesh> meshes) {
    selection(meshes);
    calls(meshes, "", "");
  }

  private void selection(Map<DataPlane, Mesh> meshes) {
    Map<DataPlane, List<RouteSelection.Cost>> costs =
        inTurns(meshes, mesh -> new RouteSelection(mesh), one -> one.measure(options.selections()));
    String title =
        "select 1 of %,d routes, with retries, among %,d virtual hosts"
            .formatted(options.routes(), options.hosts());
    add("select_route", title, Unit.NANOSECONDS, costs, RouteSelection.Cost::nanos, 0.1);
    add(
        "select_route_allocated",
        "  allocated",
        Unit.BYTES,
        costs,
        RouteSelection.Cost::bytes,
        0.1);
  }

  private void calls(Map<DataPlane, Mesh> meshes, String prefix, String what) {
    Map<DataPlane, List<Samples>> latencies =
        inTurns(meshes, Calls::new, calls -> calls.latencies(options.calls()));
    add(
        prefix + "latency",
        what + "one call after the other",
        Unit.MICROSECONDS,
        latencies,
        Samples::median,
        1.0);
    add(
        prefix + "latency_p99",
        "  99 of 100",
        Unit.MICROSECONDS,
        latencies,
        samples -> samples.quantile(0.99),
        1.0);
    Map<DataPlane, List<Double>> rates =
        inTurns(meshes, Calls::new, calls -> calls.perSecond(4 * options.calls(), UNDER_WAY));
    add(
        prefix + "throughput",
        (what.isEmpty() ? "" : "  ") + "time per call with " + UNDER_WAY + " under way",
        Unit.MICROSECONDS,
        rates,
        rate -> 1e6 / rate,
        1.0);
    Map<DataPlane, List<Double>> allocated =
        inTurns(meshes, Calls::new, calls -> calls.allocated(options.calls() / 5));
    add(
        prefix + "call_allocated",
        "  allocated per call",
        Unit.BYTES,
        allocated,
        bytes -> bytes,
        1.0);
  }

  private void changes(Map<DataPlane, Mesh> meshes) {
    Map<DataPlane, List<Double>> costs =
        inTurns(
            meshes,
            mesh -> new EndpointChange(mesh, options.clusters()),
            change -> change.cpuMillis(options.changes()));
    add(
        "endpoint_change",
        "CPU of 1 EDS change among %,d clusters".formatted(options.clusters()),
        Unit.MILLISECONDS,
        costs,
        cost -> cost,
        0.1);
  }

  private <M, C> Map<DataPlane, List<C>> inTurns(
      Map<DataPlane, Mesh> meshes, Function<Mesh, M> prepare, Function<M, C> measure) {
    Map<DataPlane, M> prepared = new EnumMap<>(DataPlane.class);
    meshes.forEach((side, mesh) -> prepared.put(side, prepare.apply(mesh)));
    Map<DataPlane, List<C>> costs = new EnumMap<>(DataPlane.class);
    List<DataPlane> order = new ArrayList<>(meshes.keySet());
    for (int round = -options.warmups(); round < options.rounds(); round++) {
      for (DataPlane side : order) {
        C cost = measure.apply(requireNonNull(prepared.get(side)));
        if (round >= 0) {
          costs.computeIfAbsent(side, unused -> new ArrayList<>()).add(cost);
        }
      }
      Collections.rotate(order, 1);
    }
    return costs;
  }

  private <C> void add(
      String id,
      String title,
      Unit unit,
      Map<DataPlane, List<C>> costs,
      Function<C, Double> aspect,
      @Nullable Double aim) {
    rows.add(
        new Row(
            id,
            title,
            unit,
            samples(costs, DataPlane.HOLDFAST, aspect),
            samples(costs, DataPlane.GRPC_XDS, aspect),
            aim));
  }

  private static <C> Samples samples(
      Map<DataPlane, List<C>> costs, DataPlane side, Function<C, Double> aspect) {
    return new Samples(
        requireNonNull(costs.get(side)).stream().mapToDouble(aspect::apply).toArray());
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
        "client, backend and xDS server in one process; rounds: %d after %d"
            .formatted(options.rounds(), options.warmups()),
        "median [lower .. upper quartile]; ratio = holdfast / grpc-xds");
  }
}
