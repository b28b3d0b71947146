// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.contract;

import dev.holdfast.config.AcceptedSpec;
import dev.holdfast.config.Condition;
import dev.holdfast.config.ConditionDetail;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.HistoryEntry;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.ObjectStatus;
import dev.holdfast.config.Position;
import dev.holdfast.config.Rejection;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.StoredStatus;
import dev.holdfast.config.Value;
import dev.holdfast.config.ValueText;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Things to store. */
public final class Samples {
  public static final Instant NOW = Instant.parse("2026-01-01T00:00:00.123456789Z");

  /** Texts that have broken stores before. */
  public static final List<String> HOSTILE =
      List.of(
          "",
          " ",
          "'; DROP TABLE accepted; --",
          "\"quoted\" \\ back",
          "nul \0 in the middle",
          "line\nline\r\n\ttab \u0001\u001f\u007f",
          "Stra\u00dfe \u4e2d\u6587 \uD83D\uDE00\u200D",
          "\u202Ereversed \uFEFF\uFFFF",
          "e\u0301 is not \u00e9",
          "%_?*",
          "x".repeat(100_000));

  private Samples() {}

  public static ObjectKey key(String name) {
    return new ObjectKey("HTTPProxy", "default", name);
  }

  /** An object with every kind of value in it. */
  public static ConfigObject object(ObjectKey key, long generation, String text) {
    Position here = new Position("shop.yaml", 3, 1);
    Map<String, Value> fields = new LinkedHashMap<>();
    fields.put("z", new Scalar(text, here));
    fields.put("whole", new Scalar(1L, here));
    fields.put("decimal", new Scalar(new BigDecimal("1.0"), here));
    fields.put("large", new Scalar(new BigDecimal("123456789012345678901234567890"), here));
    fields.put("likeWhole", new Scalar(new BigDecimal("1"), here));
    fields.put("text", new Scalar("1", here));
    fields.put("yes", new Scalar(true, here));
    fields.put("none", new Scalar(null, here));
    fields.put("half", new Scalar("half \uD83D pair", here));
    fields.put(text, new Sequence(List.of(new Mapping(Map.of(), here)), here));
    return new ConfigObject(
        key,
        "projectcontour.io/v1",
        "uid-1",
        generation,
        NOW,
        new TreeMap<>(Map.of("app", text)),
        new TreeMap<>(Map.of("note", text)),
        new Mapping(Map.of("spec", new Mapping(fields, here)), here));
  }

  public static AcceptedSpec accepted(ObjectKey key, long generation) {
    return AcceptedSpec.of(object(key, generation, "text"));
  }

  public static Rejection rejection(String resource, String version, String message) {
    return new Rejection("envoy/1.30", "node-1", "type/Cluster", resource, version, message, NOW);
  }

  public static StoredStatus status(long generation, String message) {
    return new StoredStatus(
        ObjectStatus.empty()
            .with(
                new Condition("Valid", Condition.Status.TRUE, "Valid", "", generation, NOW)
                    .with(
                        List.of(
                            new ConditionDetail(
                                ConditionDetail.Severity.WARNING, "RouteError", "Old", message))))
            .with(
                new Condition(
                    "Programmed", Condition.Status.UNKNOWN, "Pending", message, generation, NOW)),
        generation);
  }

  public static HistoryEntry happened(String message) {
    return HistoryEntry.of(NOW, HistoryEntry.Kind.PROGRAMMED).withMessage(message);
  }

  /** All that an accepted generation says, without the places, which do not survive. */
  public static List<Object> said(AcceptedSpec spec) {
    ConfigObject object = spec.object();
    return List.of(
        object.key(),
        object.apiVersion(),
        object.uid(),
        object.generation(),
        object.created(),
        object.labels(),
        object.annotations(),
        ValueText.of(object.body()),
        spec.digest());
  }
}
