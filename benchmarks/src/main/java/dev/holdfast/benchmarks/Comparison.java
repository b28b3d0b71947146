// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks;

import static dev.holdfast.benchmarks.client.Contender.HOLDFAST_DELTA;

import dev.holdfast.benchmarks.client.Kind;
import dev.holdfast.benchmarks.client.Measured;
import dev.holdfast.benchmarks.client.Protocol;
import dev.holdfast.benchmarks.report.Report;
import dev.holdfast.benchmarks.report.Unit;
import io.grpc.internal.GrpcUtil;
import java.io.PrintStream;

/** The measurements, one after the other. */
final class Comparison {
  /** Enough where a round takes long or where rounds hardly differ. */
  private static final int FEW = 5;

  private final Options options;
  private final Rounds rounds;
  private final ColdIngest ingest;
  private final Rows rows = new Rows();

  Comparison(Options options, PrintStream progress) {
    this.options = options;
    this.rounds = new Rounds(options.contenders(), options.warmups(), options.rounds(), progress);
    this.ingest = new ColdIngest(options.clusters());
  }

  Report run() {
    coldIngest();
    freshJvm();
    clusterPushes();
    retained();
    moreWatches();
    endpointPush();
    wireFloor();
    return new Report(
        "holdfast",
        "grpc-xds " + GrpcUtil.IMPLEMENTATION_VERSION,
        RunConditions.describe(options, ingest.response(Protocol.SOTW)),
        rows.list());
  }

  private void coldIngest() {
    var results = rounds.play("cold ingest", () -> {}, ingest::measure);
    rows.add(
        "cold_ingest",
        "cold ingest of %,d clusters".formatted(options.clusters()),
        Unit.MILLISECONDS,
        results.map(Measured::millis),
        /* aim= */ 0.5);
    rows.add("cold_ingest_cpu", "  on a core", Unit.MILLISECONDS, results.map(Measured::cpuMillis));
    rows.add(
        "cold_ingest_allocated",
        "  allocated",
        Unit.KIBIBYTES,
        results.map(Measured::allocatedKibibytes));
    rows.addDelta("cold_ingest_delta", Unit.MILLISECONDS, results.map(Measured::millis));
  }

  private void freshJvm() {
    var results =
        rounds
            .atMost(FEW)
            .withoutWarmup()
            .play(
                "cold ingest in a fresh JVM",
                () -> {},
                contender ->
                    FreshJvm.measure(
                        contender, options.clusters(), ingest.response(contender.protocol())));
    rows.add(
        "cold_ingest_fresh_jvm",
        "  as the first work of a fresh JVM",
        Unit.MILLISECONDS,
        results.map(Measured::millis),
        /* aim= */ 0.5);
    rows.addDelta("cold_ingest_fresh_jvm_delta", Unit.MILLISECONDS, results.map(Measured::millis));
  }

  private void clusterPushes() {
    try (WarmPush push = new WarmPush(Kind.CLUSTER, options.clusters(), options.contenders())) {
      var changed = rounds.play("1 changed", push::prepareOneChanged, push::measure);
      rows.add(
          "one_changed",
          "1 changed of %,d clusters, all resent".formatted(options.clusters()),
          Unit.MILLISECONDS,
          changed.map(Measured::millis),
          /* aim= */ 0.05);
      rows.add(
          "one_changed_cpu", "  on a core", Unit.MILLISECONDS, changed.map(Measured::cpuMillis));
      rows.add(
          "one_changed_allocated",
          "  allocated",
          Unit.KIBIBYTES,
          changed.map(Measured::allocatedKibibytes));
      rows.addDelta("one_changed_delta", Unit.MILLISECONDS, changed.map(Measured::millis));
      var unchanged =
          rounds.without(HOLDFAST_DELTA).play("0 changed", push::prepareUnchanged, push::measure);
      rows.add(
          "unchanged",
          "0 changed of %,d clusters, all resent".formatted(options.clusters()),
          Unit.MILLISECONDS,
          unchanged.map(Measured::millis));
    }
  }

  private void retained() {
    var results =
        rounds.atMost(FEW).atMostWarmups(1).play("retained", () -> {}, ingest::retainedPerCluster);
    rows.add(
        "retained",
        "retained per cluster",
        Unit.BYTES,
        results.map(bytes -> bytes),
        /* aim= */ 1.0);
    rows.addDelta("retained_delta", Unit.BYTES, results.map(bytes -> bytes));
  }

  private void moreWatches() {
    int more = options.clusters() / 5;
    MoreWatches watches = new MoreWatches(options.clusters(), more, ingest);
    var results =
        rounds.atMost(FEW).atMostWarmups(1).play("more watches", () -> {}, watches::measure);
    rows.add(
        "more_watches",
        "%,d watches added to %,d".formatted(more, options.clusters()),
        Unit.MILLISECONDS,
        results.map(MoreWatches.Cost::millis));
    rows.addDelta("more_watches_delta", Unit.MILLISECONDS, results.map(MoreWatches.Cost::millis));
    rows.add(
        "more_watches_requests",
        "  requests sent",
        Unit.COUNT,
        results.map(cost -> cost.traffic().requests()));
    rows.add(
        "more_watches_names",
        "  names sent",
        Unit.COUNT,
        results.map(cost -> cost.traffic().names()));
    rows.addDelta(
        "more_watches_names_delta", Unit.COUNT, results.map(cost -> cost.traffic().names()));
    rows.add(
        "more_watches_bytes",
        "  sent",
        Unit.KIBIBYTES,
        results.map(cost -> cost.traffic().bytes() / 1024.0));
  }

  private void endpointPush() {
    try (WarmPush push = new WarmPush(Kind.ENDPOINT, options.clusters(), options.contenders())) {
      var results = rounds.play("1 endpoint", push::prepareOnlyChanged, push::measure);
      rows.add(
          "endpoint_push",
          "1 of %,d endpoint resources sent alone".formatted(options.clusters()),
          Unit.MILLISECONDS,
          results.map(Measured::millis));
      rows.addDelta("endpoint_push_delta", Unit.MILLISECONDS, results.map(Measured::millis));
    }
  }

  private void wireFloor() {
    WireFloor floor = new WireFloor(options.clusters(), ingest.response(Protocol.SOTW));
    rows.addAlone(
        "wire_floor",
        "no client: protobuf reads it, writes the ACK",
        Unit.MILLISECONDS,
        floor.millis(options.warmups(), options.rounds()));
  }
}
