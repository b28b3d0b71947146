// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.kubernetes.status;

import dev.holdfast.config.Condition;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.ObjectStatus;
import dev.holdfast.config.ValueText;
import dev.holdfast.kubernetes.api.Json;
import dev.holdfast.kubernetes.source.KnownObject;
import dev.holdfast.kubernetes.source.WatchedKind;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which Events are written. An Event tells when an object is not served as its author wants it, and
 * when it is again: for kinds without a status this is the only place, for the others {@code
 * kubectl describe} shows it beside the conditions. Loop only.
 */
final class StatusEvents {
  /** Nobody has to act on these. */
  private static final Set<String> QUIET = Set.of("NotReferenced", "NoDataPlane", "Pending");

  /** What the API server takes. */
  private static final int LONGEST_NOTE = 1_000;

  private static final int LONGEST_PREFIX = 200;

  private static final DateTimeFormatter MICROSECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  /** What was last told of an object, and of which generation. */
  private record Told(String reason, long generation) {}

  private final String instance;
  private final Map<ObjectKey, Told> told = new HashMap<>();

  StatusEvents(String instance) {
    this.instance = instance;
  }

  void forget(ObjectKey key) {
    told.remove(key);
  }

  /** The Event for a status, as JSON; null if there is nothing to tell. */
  @Nullable String event(ObjectKey key, ObjectStatus status, KnownObject known, Instant now) {
    Condition programmed = status.condition("Programmed");
    if (programmed == null || QUIET.contains(programmed.reason())) {
      return null;
    }
    boolean isGood = programmed.status() == Condition.Status.TRUE;
    Told before = told.get(key);
    Told next = new Told(programmed.reason(), programmed.observedGeneration());
    if (isGood) {
      told.remove(key);
      return before == null ? null : json(key, known, programmed, "Normal", now);
    }
    if (next.equals(before)) {
      return null;
    }
    told.put(key, next);
    return json(key, known, programmed, "Warning", now);
  }

  private String json(
      ObjectKey key, KnownObject known, Condition condition, String type, Instant now) {
    Map<String, Object> metadata = new LinkedHashMap<>();
    // The API server appends to it, and takes no prefix that ends in a dot.
    String prefix = key.name().substring(0, Math.min(key.name().length(), LONGEST_PREFIX));
    metadata.put("generateName", prefix + "-");
    metadata.put("namespace", key.namespace());
    Map<String, Object> regarding = new LinkedHashMap<>();
    regarding.put("apiVersion", WatchedKind.of(key.kind()).apiVersion());
    regarding.put("kind", key.kind());
    regarding.put("namespace", key.namespace());
    regarding.put("name", key.name());
    regarding.put("uid", known.uid());
    regarding.put("resourceVersion", known.resourceVersion());
    Map<String, Object> event = new LinkedHashMap<>();
    event.put("apiVersion", "events.k8s.io/v1");
    event.put("kind", "Event");
    event.put("metadata", metadata);
    event.put("eventTime", MICROSECONDS.format(now));
    event.put("reportingController", "holdfast.dev/control-plane");
    event.put("reportingInstance", instance);
    event.put("action", "Program");
    event.put("reason", condition.reason());
    event.put("type", type);
    event.put("note", StatusPatch.cut(condition.message(), LONGEST_NOTE));
    event.put("regarding", regarding);
    return ValueText.of(Json.value(event));
  }
}
