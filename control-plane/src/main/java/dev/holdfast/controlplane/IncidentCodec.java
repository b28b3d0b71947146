// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane;

import dev.holdfast.config.Mapping;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Position;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import dev.holdfast.config.ValueText;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
import dev.holdfast.controlplane.rollout.search.Incident;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes an incident as one line of text and reads it back. */
final class IncidentCodec {
  private static final Position NOWHERE = Position.of("history");

  private IncidentCodec() {}

  static String of(Incident incident) {
    Duration took = incident.took();
    return ValueText.of(
        mapping(
            "id", incident.id(),
            "at", incident.at().toString(),
            "class", incident.proxyClass(),
            "resource", resource(incident.resource()),
            "message", incident.message(),
            "changes", (long) incident.changes(),
            "pushes", (long) incident.pushes(),
            "trials", sequence(incident.pushed(), IncidentCodec::push),
            "steps", sequence(incident.steps(), IncidentCodec::scalar),
            "blames", sequence(incident.offenders(), IncidentCodec::offendingObject),
            "took", (took == null ? Duration.ZERO : took).toString()));
  }

  private static Value push(Incident.Push push) {
    return mapping(
        "after", push.after().toString(),
        "changes", (long) push.changes(),
        "canaries", sequence(push.canaries(), IncidentCodec::scalar),
        "answer", push.answer().name());
  }

  private static Value offendingObject(Incident.Offender offending) {
    Evidence evidence = offending.evidence();
    return mapping(
        "kind", offending.object().kind(),
        "namespace", offending.object().namespace(),
        "name", offending.object().name(),
        "generation", offending.generation(),
        "class", evidence.proxyClass(),
        "agent", evidence.agent(),
        "resource", resource(evidence.resource()),
        "part", evidence.part(),
        "message", evidence.message(),
        "at", evidence.at().toString());
  }

  private static Value resource(ResourceId id) {
    return mapping("type", id.type().typeUrl(), "name", id.name());
  }

  /** A mapping from alternating names and values. */
  private static Mapping mapping(Object... fields) {
    Map<String, Value> values = new LinkedHashMap<>();
    for (int i = 0; i < fields.length; i += 2) {
      Object field = fields[i + 1];
      values.put((String) fields[i], field instanceof Value value ? value : scalar(field));
    }
    return new Mapping(values, NOWHERE);
  }

  private static <T> Sequence sequence(List<T> elements, Function<? super T, Value> write) {
    return new Sequence(elements.stream().map(write).toList(), NOWHERE);
  }

  private static Value scalar(Object value) {
    return new Scalar(value, NOWHERE);
  }

  /**
   * The incident that the text describes; null if the text is not an incident in the format of this
   * version.
   */
  static @Nullable Incident parse(String text) {
    try {
      Fields incident = new Fields(ValueText.parse(text, NOWHERE));
      return new Incident(
          incident.number("id"),
          Instant.parse(incident.text("at")),
          incident.text("class"),
          incident.resource(),
          incident.text("message"),
          (int) incident.number("changes"),
          (int) incident.number("pushes"),
          incident.list("trials", value -> new Fields(value).push()),
          incident.list("steps", Fields::text),
          incident.list("blames", value -> new Fields(value).offendingObject()),
          Duration.parse(incident.text("took")));
    } catch (IllegalArgumentException | DateTimeException e) {
      return null;
    }
  }

  /** Reads the fields of a mapping; a missing or malformed field is an IllegalArgumentException. */
  private record Fields(Value value) {
    private Value get(String name) {
      Value field = value instanceof Mapping mapping ? mapping.fields().get(name) : null;
      if (field == null) {
        throw new IllegalArgumentException(name + ": none");
      }
      return field;
    }

    static String text(Value value) {
      if (value instanceof Scalar scalar && scalar.value() instanceof String text) {
        return text;
      }
      throw new IllegalArgumentException("no text");
    }

    String text(String name) {
      return text(get(name));
    }

    long number(String name) {
      if (get(name) instanceof Scalar scalar && scalar.value() instanceof Long number) {
        return number;
      }
      throw new IllegalArgumentException(name + ": no number");
    }

    <T> List<T> list(String name, Function<Value, T> read) {
      if (get(name) instanceof Sequence sequence) {
        return sequence.elements().stream().map(read).toList();
      }
      throw new IllegalArgumentException(name + ": no list");
    }

    ResourceId resource() {
      Fields resource = new Fields(get("resource"));
      ResourceType type = ResourceType.ofTypeUrl(resource.text("type"));
      if (type == null) {
        throw new IllegalArgumentException("type: unknown");
      }
      return new ResourceId(type, resource.text("name"));
    }

    Incident.Push push() {
      return new Incident.Push(
          Duration.parse(text("after")),
          (int) number("changes"),
          list("canaries", Fields::text),
          Incident.Answer.valueOf(text("answer")));
    }

    Incident.Offender offendingObject() {
      return new Incident.Offender(
          new ObjectKey(text("kind"), text("namespace"), text("name")),
          number("generation"),
          new Evidence(
              text("class"),
              text("agent"),
              resource(),
              text("part"),
              text("message"),
              Instant.parse(text("at"))));
    }
  }
}
