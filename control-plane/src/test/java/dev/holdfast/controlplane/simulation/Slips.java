// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import static dev.holdfast.controlplane.simulation.Values.list;
import static dev.holdfast.controlplane.simulation.Values.map;
import static dev.holdfast.controlplane.simulation.Values.text;

import dev.holdfast.config.Mapping;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Mistakes that no proxy is needed for to find: fields that do not exist, values that cannot be,
 * references to nothing, a host that belongs to somebody else.
 */
final class Slips {
  private static final int PERCENT_INVALID = 15;
  private static final int PERCENT_STOLEN = 8;

  private final Chance chance;
  private final Author author;
  private final Sketches sketches;

  Slips(Chance chance, Author author, Sketches sketches) {
    this.chance = chance;
    this.author = author;
    this.sketches = sketches;
  }

  /** Some edits with mistakes in them, and beside them. */
  SortedMap<ObjectKey, @Nullable Sketch> in(SortedMap<ObjectKey, @Nullable Sketch> edits) {
    SortedMap<ObjectKey, @Nullable Sketch> careless = new TreeMap<>(edits);
    edits.forEach(
        (key, sketch) -> {
          if (sketch != null && chance.percent(PERCENT_INVALID)) {
            careless.put(key, invalid(sketch));
          }
        });
    if (chance.percent(PERCENT_STOLEN)) {
      steal(careless);
    }
    return careless;
  }

  /** Writes a second root for a host. */
  private void steal(SortedMap<ObjectKey, @Nullable Sketch> edits) {
    List<ObjectKey> candidates = new ArrayList<>(author.roots());
    candidates.removeIf(
        key ->
            edits.containsKey(key)
                || edits.containsKey(Names.otherName(key))
                || author.get(Names.otherName(key)) != null);
    if (!candidates.isEmpty()) {
      ObjectKey newcomer = Names.otherName(chance.one(candidates));
      edits.put(newcomer, sketches.of(newcomer, Flaw.NONE));
    }
  }

  private Sketch invalid(Sketch sketch) {
    return switch (sketch.key().kind()) {
      case "HTTPProxy" ->
          chance.percent(50)
              ? unknownField(sketch)
              : edited(sketch, "spec", spec -> replaced(spec, "routes", noSuchService()));
      case "Service" ->
          chance.percent(50)
              ? unknownField(sketch)
              : edited(sketch, "spec", spec -> replaced(spec, "ports", list(map("port", 81L))));
      case "EndpointSlice" ->
          withBody(sketch, replaced(sketch.body(), "endpoints", list(map("adresses", list()))));
      case "ExtensionPolicy" -> unknownField(sketch);
      case "Secret" ->
          chance.percent(50)
              ? edited(sketch, "stringData", data -> replaced(data, "tls.crt", text("garbage")))
              : withBody(sketch, replaced(sketch.body(), "type", text("Opaque")));
      default -> sketch;
    };
  }

  private static Value noSuchService() {
    return list(map("services", list(map("name", "none", "port", 80L))));
  }

  private static Sketch unknownField(Sketch sketch) {
    return edited(sketch, "spec", spec -> replaced(spec, "oops", new Scalar(1L, spec.position())));
  }

  private static Sketch edited(Sketch sketch, String field, UnaryOperator<Mapping> edit) {
    Value before = sketch.body().get(field);
    if (!(before instanceof Mapping mapping)) {
      throw new AssertionError(sketch);
    }
    return withBody(sketch, replaced(sketch.body(), field, edit.apply(mapping)));
  }

  private static Mapping replaced(Mapping mapping, String field, Value value) {
    Map<String, Value> fields = new LinkedHashMap<>(mapping.fields());
    fields.put(field, value);
    return new Mapping(fields, mapping.position());
  }

  private static Sketch withBody(Sketch sketch, Mapping body) {
    return new Sketch(
        sketch.key(),
        sketch.apiVersion(),
        sketch.labels(),
        sketch.annotations(),
        body,
        sketch.mark(),
        Flaw.INVALID,
        sketch.refs());
  }
}
