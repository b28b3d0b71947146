// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.trace;

import dev.holdfast.config.ObjectKey;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The trace of one generation of one object, until it has a status. Loop only. */
final class OpenTrace {
  private final String traceId;
  private final LongSupplier ids;
  private final Consumer<TraceSpan> sink;
  final ObjectKey key;
  final long generation;
  final Part whole;
  @Nullable Part translate;
  @Nullable Part trial;
  @Nullable Part search;
  @Nullable Part commit;
  @Nullable Part status;

  /** How many answers of proxies have a span. */
  int verdicts;

  /** How many have none, because there are so many proxies. */
  long uncounted;

  /** A span that is not over. */
  static final class Part {
    final String spanId;
    final String parentId;
    final String name;
    final Instant start;
    final SortedMap<String, String> attributes = new TreeMap<>();

    Part(String spanId, String parentId, String name, Instant start) {
      this.spanId = spanId;
      this.parentId = parentId;
      this.name = name;
      this.start = start;
    }
  }

  /**
   * @param ids random numbers
   */
  OpenTrace(
      ObjectKey key, long generation, Instant start, LongSupplier ids, Consumer<TraceSpan> sink) {
    this.key = key;
    this.generation = generation;
    this.ids = ids;
    this.sink = sink;
    this.traceId = hex() + hex();
    this.whole = new Part(hex(), "", "change", start);
    whole.attributes.put(ChangeTraces.OBJECT, key.toString());
    whole.attributes.put(ChangeTraces.GENERATION, Long.toString(generation));
  }

  /** Begins a part of the whole. */
  Part begin(String name, Instant start) {
    return beginIn(whole, name, start);
  }

  /** Begins a part of another one. */
  Part beginIn(Part parent, String name, Instant start) {
    return new Part(hex(), parent.spanId, name, start);
  }

  /** Ends a part, if it has begun. */
  void end(@Nullable Part part, Instant end, String error) {
    if (part != null) {
      Instant last = end.isBefore(part.start) ? part.start : end;
      sink.accept(
          new TraceSpan(
              traceId,
              part.spanId,
              part.parentId,
              part.name,
              part.start,
              last,
              part.attributes,
              error));
    }
  }

  /** The part that answers of proxies belong to now. */
  Part current() {
    if (search != null) {
      return search;
    }
    return trial == null ? whole : trial;
  }

  private String hex() {
    long id = ids.getAsLong();
    // Not all zeros: that means that there is no id.
    return String.format("%016x", id == 0 ? 1 : id);
  }
}
