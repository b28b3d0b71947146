// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.sqlite;

import dev.holdfast.config.Condition;
import dev.holdfast.config.ConditionDetail;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.ObjectStatus;
import dev.holdfast.config.Position;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import dev.holdfast.config.ValueText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A status as text, in the shape that Kubernetes gives it. Fields that this version does not know
 * are skipped, so that later ones can add some.
 */
final class StatusText {
  private static final Position HERE = Position.of("stored status");

  private StatusText() {}

  static String of(ObjectStatus status) {
    List<Value> conditions = new ArrayList<>();
    for (Condition condition : status.conditions().values()) {
      Map<String, Value> fields = new LinkedHashMap<>();
      fields.put("type", scalar(condition.type()));
      fields.put("status", scalar(condition.status().toString()));
      fields.put("reason", scalar(condition.reason()));
      fields.put("message", scalar(condition.message()));
      fields.put("observedGeneration", scalar(condition.observedGeneration()));
      fields.put("lastTransitionTime", scalar(condition.lastTransition().toString()));
      if (!condition.details().isEmpty()) {
        List<Value> details = condition.details().stream().map(StatusText::detail).toList();
        fields.put("details", new Sequence(details, HERE));
      }
      conditions.add(new Mapping(fields, HERE));
    }
    return ValueText.of(new Mapping(Map.of("conditions", new Sequence(conditions, HERE)), HERE));
  }

  static ObjectStatus parse(String text) {
    SortedMap<String, Condition> conditions = new TreeMap<>();
    Mapping status = (Mapping) ValueText.parse(text, HERE);
    for (Value element : ((Sequence) field(status, "conditions")).elements()) {
      Condition condition = condition((Mapping) element);
      conditions.put(condition.type(), condition);
    }
    return new ObjectStatus(conditions);
  }

  private static Condition condition(Mapping fields) {
    return new Condition(
        StringMapText.text(field(fields, "type")),
        answer(StringMapText.text(field(fields, "status"))),
        StringMapText.text(field(fields, "reason")),
        StringMapText.text(field(fields, "message")),
        number(field(fields, "observedGeneration")),
        Instant.parse(StringMapText.text(field(fields, "lastTransitionTime"))),
        details(fields));
  }

  private static Value detail(ConditionDetail detail) {
    Map<String, Value> fields = new LinkedHashMap<>();
    fields.put("severity", scalar(detail.severity().name()));
    fields.put("type", scalar(detail.type()));
    fields.put("reason", scalar(detail.reason()));
    fields.put("message", scalar(detail.message()));
    return new Mapping(fields, HERE);
  }

  private static List<ConditionDetail> details(Mapping condition) {
    List<ConditionDetail> details = new ArrayList<>();
    if (condition.get("details") instanceof Sequence sequence) {
      for (Value element : sequence.elements()) {
        Mapping fields = (Mapping) element;
        details.add(
            new ConditionDetail(
                ConditionDetail.Severity.valueOf(StringMapText.text(field(fields, "severity"))),
                StringMapText.text(field(fields, "type")),
                StringMapText.text(field(fields, "reason")),
                StringMapText.text(field(fields, "message"))));
      }
    }
    return details;
  }

  private static Condition.Status answer(String text) {
    for (Condition.Status status : Condition.Status.values()) {
      if (status.toString().equals(text)) {
        return status;
      }
    }
    throw new IllegalArgumentException("status: " + text + " (expected: True, False or Unknown)");
  }

  private static long number(Value value) {
    if (value instanceof Scalar scalar && scalar.value() instanceof Long number) {
      return number;
    }
    throw new IllegalArgumentException("value: not a number (expected: a number)");
  }

  private static Value field(Mapping mapping, String name) {
    @Nullable Value value = mapping.get(name);
    if (value == null) {
      throw new IllegalArgumentException(name + ": missing (expected: a value)");
    }
    return value;
  }

  private static Scalar scalar(Object value) {
    return new Scalar(value, HERE);
  }
}
