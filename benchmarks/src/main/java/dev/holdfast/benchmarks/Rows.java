// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks;

import static dev.holdfast.benchmarks.client.Contender.GRPC_XDS;
import static dev.holdfast.benchmarks.client.Contender.HOLDFAST;
import static dev.holdfast.benchmarks.client.Contender.HOLDFAST_DELTA;

import dev.holdfast.benchmarks.client.Contender;
import dev.holdfast.benchmarks.report.Row;
import dev.holdfast.benchmarks.report.Samples;
import dev.holdfast.benchmarks.report.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rows of a report, as they are measured. */
final class Rows {
  private final List<Row> rows = new ArrayList<>();

  /** Ours beside the peer, both state of the world, without an aim. */
  void add(String id, String title, Unit unit, Map<Contender, Samples> samples) {
    add(id, title, unit, samples, /* aim= */ null);
  }

  /** Ours beside the peer, both state of the world. */
  void add(
      String id, String title, Unit unit, Map<Contender, Samples> samples, @Nullable Double aim) {
    rows.add(new Row(id, title, unit, samples.get(HOLDFAST), samples.get(GRPC_XDS), aim));
  }

  /** Ours over Delta beside the peer, which only has state of the world. */
  void addDelta(String id, Unit unit, Map<Contender, Samples> samples) {
    rows.add(
        new Row(
            id,
            "  ours over Delta",
            unit,
            samples.get(HOLDFAST_DELTA),
            samples.get(GRPC_XDS),
            /* aim= */ null));
  }

  /** Something that belongs to neither side, but to this project's classes. */
  void addAlone(String id, String title, Unit unit, Samples samples) {
    rows.add(new Row(id, title, unit, samples, /* peer= */ null, /* aim= */ null));
  }

  List<Row> list() {
    return List.copyOf(rows);
  }
}
