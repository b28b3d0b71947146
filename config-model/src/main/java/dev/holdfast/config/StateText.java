// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A change of the state as one line of JSON, for stores that keep texts. The format is durable:
 * what an older version wrote is read by every later one. Fields that this version does not know
 * are skipped, so that later ones can add some.
 */
public final class StateText {
  private static final Position HERE = Position.of("stored state");

  private StateText() {}

  // Changes.

  /** The text of a change. */
  public static String of(StateChange change) {
    Map<String, Object> fields = new LinkedHashMap<>();
    put(
        fields,
        "accepted",
        change.accepted(),
        StateText::object,
        (key, spec) -> Map.of("spec", spec(spec)));
    put(
        fields,
        "byClass",
        change.byClass(),
        key -> entry("class", key.proxyClass(), object(key.object())),
        (key, served) -> served.spec() == null ? Map.of() : Map.of("spec", spec(served.spec())));
    put(
        fields,
        "classes",
        change.classes(),
        proxyClass -> Map.of("class", proxyClass),
        (proxyClass, at) -> Map.of("at", at.toString()));
    put(
        fields,
        "rejections",
        change.rejections(),
        StateText::rejectionKey,
        (key, rejection) ->
            Map.of("message", rejection.message(), "at", rejection.at().toString()));
    put(
        fields,
        "statuses",
        change.statuses(),
        StateText::object,
        (key, status) ->
            Map.of("generation", status.generation(), "conditions", conditions(status.status())));
    put(
        fields,
        "held",
        change.held(),
        holder -> entry("node", holder.nodeId(), Map.of("type", holder.typeUrl())),
        (holder, version) -> Map.of("version", version));
    if (!change.history().isEmpty()) {
      List<Object> history = new ArrayList<>();
      change.history().forEach(entry -> history.add(history(entry)));
      fields.put("history", history);
    }
    return ValueText.of(value(fields));
  }

  /**
   * The change of a text.
   *
   * @throws IllegalArgumentException if the text is none that {@link #of} gives
   */
  public static StateChange parse(String text) {
    if (!(ValueText.parse(text, HERE) instanceof Mapping fields)) {
      throw new IllegalArgumentException("change: not a mapping");
    }
    StateChange.Builder change = StateChange.builder();
    for (Mapping each : list(fields, "accepted")) {
      change.putAccepted(spec(mapping(each, "spec")));
    }
    list(fields, "acceptedRemoved").forEach(each -> change.removeAccepted(object(each)));
    for (Mapping each : list(fields, "byClass")) {
      change.putByClass(
          new ClassSpec(
              string(each, "class"),
              object(each),
              each.get("spec") == null ? null : spec(mapping(each, "spec"))));
    }
    list(fields, "byClassRemoved")
        .forEach(
            each -> change.removeByClass(new ClassSpec.Key(string(each, "class"), object(each))));
    list(fields, "classes").forEach(each -> change.putClass(string(each, "class"), at(each)));
    list(fields, "classesRemoved").forEach(each -> change.removeClass(string(each, "class")));
    for (Mapping each : list(fields, "rejections")) {
      Rejection.Key key = rejectionKey(each);
      change.putRejection(
          new Rejection(
              key.proxyClass(),
              key.nodeId(),
              key.typeUrl(),
              key.resourceName(),
              key.version(),
              string(each, "message"),
              at(each)));
    }
    list(fields, "rejectionsRemoved").forEach(each -> change.removeRejection(rejectionKey(each)));
    for (Mapping each : list(fields, "statuses")) {
      change.putStatus(
          object(each), new StoredStatus(conditions(each), number(each, "generation")));
    }
    list(fields, "statusesRemoved").forEach(each -> change.removeStatus(object(each)));
    list(fields, "held").forEach(each -> change.putHeld(holder(each), string(each, "version")));
    list(fields, "heldRemoved").forEach(each -> change.removeHeld(holder(each)));
    list(fields, "history").forEach(each -> change.append(history(each)));
    return change.build();
  }

  private static <K extends Comparable<? super K>, V> void put(
      Map<String, Object> fields,
      String name,
      Edits<K, V> edits,
      Function<K, Map<String, Object>> key,
      BiFunction<K, V, Map<String, Object>> value) {
    List<Object> put = new ArrayList<>();
    edits
        .put()
        .forEach(
            (each, to) -> {
              Map<String, Object> entry = new LinkedHashMap<>(key.apply(each));
              entry.putAll(new TreeMap<>(value.apply(each, to)));
              put.add(entry);
            });
    List<Object> removed = new ArrayList<>();
    edits.removed().forEach(each -> removed.add(key.apply(each)));
    if (!put.isEmpty()) {
      fields.put(name, put);
    }
    if (!removed.isEmpty()) {
      fields.put(name + "Removed", removed);
    }
  }

  // Generations.

  /** The text of generations. */
  public static String ofGenerations(SortedMap<ObjectKey, Generations.Generation> generations) {
    List<Object> all = new ArrayList<>();
    generations.forEach(
        (key, generation) -> {
          Map<String, Object> entry = new LinkedHashMap<>(object(key));
          entry.put("number", generation.number());
          entry.put("digest", generation.digest());
          entry.put("created", generation.created().toString());
          all.add(entry);
        });
    return ValueText.of(value(Map.of("generations", all)));
  }

  /**
   * The generations of a text.
   *
   * @throws IllegalArgumentException if the text is none that {@link #ofGenerations} gives
   */
  public static SortedMap<ObjectKey, Generations.Generation> parseGenerations(String text) {
    if (!(ValueText.parse(text, HERE) instanceof Mapping fields)) {
      throw new IllegalArgumentException("generations: not a mapping");
    }
    SortedMap<ObjectKey, Generations.Generation> generations = new TreeMap<>();
    for (Mapping each : list(fields, "generations")) {
      generations.put(
          object(each),
          new Generations.Generation(
              number(each, "number"),
              string(each, "digest"),
              Instant.parse(string(each, "created"))));
    }
    return generations;
  }

  // Parts.

  private static Map<String, Object> object(ObjectKey key) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("kind", key.kind());
    fields.put("namespace", key.namespace());
    fields.put("name", key.name());
    return fields;
  }

  private static ObjectKey object(Mapping fields) {
    return new ObjectKey(
        string(fields, "kind"), string(fields, "namespace"), string(fields, "name"));
  }

  private static Map<String, Object> entry(String name, Object value, Map<String, Object> more) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put(name, value);
    fields.putAll(more);
    return fields;
  }

  private static Map<String, Object> spec(AcceptedSpec spec) {
    ConfigObject object = spec.object();
    Map<String, Object> fields = new LinkedHashMap<>(object(object.key()));
    fields.put("apiVersion", object.apiVersion());
    fields.put("uid", object.uid());
    fields.put("generation", object.generation());
    fields.put("created", object.created().toString());
    fields.put("labels", object.labels());
    fields.put("annotations", object.annotations());
    fields.put("body", object.body());
    fields.put("digest", spec.digest());
    return fields;
  }

  private static AcceptedSpec spec(Mapping fields) {
    ObjectKey key = object(fields);
    long generation = number(fields, "generation");
    // The text of the body once more, so that problems in it have a place that says what it is.
    Position place = Position.of("stored generation " + generation + " of " + key);
    return new AcceptedSpec(
        new ConfigObject(
            key,
            string(fields, "apiVersion"),
            string(fields, "uid"),
            generation,
            Instant.parse(string(fields, "created")),
            strings(mapping(fields, "labels")),
            strings(mapping(fields, "annotations")),
            (Mapping) ValueText.parse(ValueText.of(mapping(fields, "body")), place)),
        string(fields, "digest"));
  }

  private static Map<String, Object> rejectionKey(Rejection.Key key) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("class", key.proxyClass());
    fields.put("node", key.nodeId());
    fields.put("type", key.typeUrl());
    fields.put("resource", key.resourceName());
    fields.put("version", key.version());
    return fields;
  }

  private static Rejection.Key rejectionKey(Mapping fields) {
    return new Rejection.Key(
        string(fields, "class"),
        string(fields, "node"),
        string(fields, "type"),
        string(fields, "resource"),
        string(fields, "version"));
  }

  private static Holder holder(Mapping fields) {
    return new Holder(string(fields, "node"), string(fields, "type"));
  }

  private static List<Object> conditions(ObjectStatus status) {
    List<Object> conditions = new ArrayList<>();
    for (Condition condition : status.conditions().values()) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("type", condition.type());
      fields.put("status", condition.status().toString());
      fields.put("reason", condition.reason());
      fields.put("message", condition.message());
      fields.put("observedGeneration", condition.observedGeneration());
      fields.put("lastTransitionTime", condition.lastTransition().toString());
      if (!condition.details().isEmpty()) {
        fields.put("details", condition.details().stream().map(StateText::detail).toList());
      }
      conditions.add(fields);
    }
    return conditions;
  }

  private static ObjectStatus conditions(Mapping fields) {
    SortedMap<String, Condition> conditions = new TreeMap<>();
    for (Mapping each : list(fields, "conditions")) {
      Condition condition =
          new Condition(
              string(each, "type"),
              answer(string(each, "status")),
              string(each, "reason"),
              string(each, "message"),
              number(each, "observedGeneration"),
              Instant.parse(string(each, "lastTransitionTime")),
              list(each, "details").stream().map(StateText::detail).toList());
      conditions.put(condition.type(), condition);
    }
    return new ObjectStatus(conditions);
  }

  private static Map<String, Object> detail(ConditionDetail detail) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("severity", detail.severity().name());
    fields.put("type", detail.type());
    fields.put("reason", detail.reason());
    fields.put("message", detail.message());
    return fields;
  }

  private static ConditionDetail detail(Mapping fields) {
    return new ConditionDetail(
        ConditionDetail.Severity.valueOf(string(fields, "severity")),
        string(fields, "type"),
        string(fields, "reason"),
        string(fields, "message"));
  }

  private static Condition.Status answer(String text) {
    for (Condition.Status status : Condition.Status.values()) {
      if (status.toString().equals(text)) {
        return status;
      }
    }
    throw new IllegalArgumentException("status: " + text + " (expected: True, False or Unknown)");
  }

  private static Map<String, Object> history(HistoryEntry entry) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("at", entry.at().toString());
    fields.put("event", entry.kind().name());
    if (entry.object() != null) {
      fields.put("object", object(entry.object()));
    }
    fields.put("generation", entry.generation());
    fields.put("resource", entry.resource());
    fields.put("proxy", entry.proxy());
    fields.put("message", entry.message());
    if (entry.took() != null) {
      fields.put("took", entry.took().toString());
    }
    return fields;
  }

  private static HistoryEntry history(Mapping fields) {
    return new HistoryEntry(
        0,
        at(fields),
        new HistoryEntry.Kind(string(fields, "event")),
        fields.get("object") == null ? null : object(mapping(fields, "object")),
        number(fields, "generation"),
        string(fields, "resource"),
        string(fields, "proxy"),
        string(fields, "message"),
        fields.get("took") == null ? null : Duration.parse(string(fields, "took")));
  }

  private static Instant at(Mapping fields) {
    return Instant.parse(string(fields, "at"));
  }

  // Values.

  private static Value value(@Nullable Object plain) {
    if (plain instanceof Value value) {
      return value;
    }
    if (plain instanceof Map<?, ?> map) {
      Map<String, Value> fields = new LinkedHashMap<>();
      map.forEach((name, field) -> fields.put(String.valueOf(name), value(field)));
      return new Mapping(fields, HERE);
    }
    if (plain instanceof List<?> list) {
      List<Value> elements = new ArrayList<>();
      list.forEach(element -> elements.add(value(element)));
      return new Sequence(elements, HERE);
    }
    return new Scalar(plain, HERE);
  }

  private static String string(Mapping fields, String name) {
    if (fields.get(name) instanceof Scalar scalar && scalar.value() instanceof String text) {
      return text;
    }
    throw new IllegalArgumentException(name + ": missing (expected: a string)");
  }

  private static long number(Mapping fields, String name) {
    if (fields.get(name) instanceof Scalar scalar && scalar.value() instanceof Long number) {
      return number;
    }
    throw new IllegalArgumentException(name + ": missing (expected: a number)");
  }

  private static Mapping mapping(Mapping fields, String name) {
    if (fields.get(name) instanceof Mapping mapping) {
      return mapping;
    }
    throw new IllegalArgumentException(name + ": missing (expected: a mapping)");
  }

  /** The mappings of a list; none if there is no such list. */
  private static List<Mapping> list(Mapping fields, String name) {
    List<Mapping> list = new ArrayList<>();
    if (fields.get(name) instanceof Sequence sequence) {
      for (Value element : sequence.elements()) {
        if (!(element instanceof Mapping mapping)) {
          throw new IllegalArgumentException(name + ": broken (expected: mappings)");
        }
        list.add(mapping);
      }
    }
    return list;
  }

  private static SortedMap<String, String> strings(Mapping fields) {
    SortedMap<String, String> strings = new TreeMap<>();
    fields.fields().keySet().forEach(name -> strings.put(name, string(fields, name)));
    return strings;
  }
}
