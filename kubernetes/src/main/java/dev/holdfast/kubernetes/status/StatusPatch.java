// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.kubernetes.status;

import dev.holdfast.config.Condition;
import dev.holdfast.config.ConditionDetail;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.ObjectStatus;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Value;
import dev.holdfast.config.ValueText;
import dev.holdfast.kubernetes.api.Json;
import dev.holdfast.kubernetes.source.KnownObject;
import dev.holdfast.kubernetes.source.WatchedKind;
import java.nio.charset.StandardCharsets;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The status of an object as it is written to the cluster: our conditions, and for HTTPProxies the
 * fields that users of Contour read. The API server refuses a whole patch for one bad field, so
 * everything is checked and cut before.
 */
final class StatusPatch {
  /** What the API server takes, less room for how it counts. */
  private static final int LONGEST_MESSAGE = 32_000;

  private static final Pattern REASON =
      Pattern.compile("[A-Za-z]([A-Za-z0-9_,:]{0,1021}[A-Za-z0-9_])?");

  private static final String HTTP_PROXY = "HTTPProxy";

  private static final Set<String> WITH_CONDITIONS =
      Set.of(HTTP_PROXY, "TLSCertificateDelegation", "ExtensionService", "ExtensionPolicy");

  /** Contour's kinds have lists of errors and warnings in their conditions. */
  private static final Set<String> WITH_DETAILS =
      Set.of(HTTP_PROXY, "TLSCertificateDelegation", "ExtensionService");

  private static final Set<String> WITH_ADDRESS = Set.of(HTTP_PROXY, "Ingress");

  private StatusPatch() {}

  /**
   * The status for an object; null if there is nothing to write, because the status is about
   * another generation than the cluster has now, whose own status is on its way.
   *
   * @param addresses where clients reach the proxies, as entries of a load balancer's status
   */
  static @Nullable Map<String, Object> status(
      ObjectKey key, ObjectStatus status, KnownObject known, List<Object> addresses) {
    if (status.conditions().isEmpty()) {
      return isOurs(known) ? new LinkedHashMap<>() : null;
    }
    Condition programmed = status.condition("Programmed");
    if (programmed != null && programmed.observedGeneration() != known.generation()) {
      return null;
    }
    Map<String, Object> result = new LinkedHashMap<>();
    if (WITH_ADDRESS.contains(key.kind()) && !addresses.isEmpty()) {
      result.put("loadBalancer", new LinkedHashMap<>(Map.of("ingress", addresses)));
    }
    if (!WITH_CONDITIONS.contains(key.kind())) {
      return result.isEmpty() ? null : result;
    }
    List<Object> conditions = new ArrayList<>();
    for (Condition condition : status.conditions().values()) {
      conditions.add(condition(key, condition, known));
    }
    if (key.kind().equals(HTTP_PROXY)) {
      contourFields(status, result);
    }
    result.put("conditions", conditions);
    return result;
  }

  /** Whether we have written a status: nobody else has this condition. */
  private static boolean isOurs(KnownObject known) {
    return Json.elements(known.status(), "conditions").stream()
        .anyMatch(
            condition ->
                condition instanceof Mapping fields
                    && Json.string(fields, "type").equals("Programmed"));
  }

  private static Map<String, Object> condition(
      ObjectKey key, Condition condition, KnownObject known) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("type", condition.type());
    fields.put("status", condition.status().toString());
    // People compare it with metadata.generation, which is not always ours.
    fields.put("observedGeneration", known.clusterGeneration());
    fields.put(
        "lastTransitionTime",
        condition.lastTransition().truncatedTo(ChronoUnit.SECONDS).toString());
    fields.put("reason", reason(condition.reason()));
    fields.put("message", cut(condition.message()));
    if (WITH_DETAILS.contains(key.kind())) {
      addDetails(condition, ConditionDetail.Severity.ERROR, "errors", fields);
      addDetails(condition, ConditionDetail.Severity.WARNING, "warnings", fields);
    }
    return fields;
  }

  private static void addDetails(
      Condition condition,
      ConditionDetail.Severity severity,
      String field,
      Map<String, Object> fields) {
    List<Object> details = new ArrayList<>();
    for (ConditionDetail detail : condition.details()) {
      if (detail.severity() == severity) {
        Map<String, Object> each = new LinkedHashMap<>();
        each.put("type", reason(detail.type()));
        each.put("status", "True");
        each.put("reason", reason(detail.reason()));
        each.put("message", cut(detail.message()));
        details.add(each);
      }
    }
    if (!details.isEmpty()) {
      fields.put(field, details);
    }
  }

  /** What {@code kubectl get httpproxy} shows. */
  private static void contourFields(ObjectStatus status, Map<String, Object> result) {
    Condition valid = status.condition("Valid");
    Condition programmed = status.condition("Programmed");
    if (valid == null) {
      return;
    }
    boolean isValid = valid.status() == Condition.Status.TRUE;
    boolean isOrphaned =
        isValid
            && programmed != null
            && programmed.reason().equals("NotReferenced")
            && programmed.message().contains("includes this object");
    result.put("currentStatus", isOrphaned ? "orphaned" : isValid ? "valid" : "invalid");
    result.put(
        "description",
        cut(isOrphaned && programmed != null ? programmed.message() : valid.message()));
  }

  /** The patch, as JSON. With the version it is refused if the object has changed meanwhile. */
  static String json(
      WatchedKind kind, ObjectKey key, KnownObject known, Map<String, Object> status) {
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put("name", key.name());
    metadata.put("namespace", key.namespace());
    metadata.put("resourceVersion", known.resourceVersion());
    Map<String, Object> patch = new LinkedHashMap<>();
    patch.put("apiVersion", kind.apiVersion());
    patch.put("kind", key.kind());
    patch.put("metadata", metadata);
    patch.put("status", status);
    return ValueText.of(Json.value(patch));
  }

  /** Whether the cluster has this status already, among other fields and conditions. */
  static boolean isThere(Map<String, Object> status, KnownObject known) {
    return status.isEmpty() ? !isOurs(known) : contains(known.status(), Json.value(status));
  }

  private static boolean contains(@Nullable Value current, Value wanted) {
    if (wanted instanceof Mapping mapping) {
      return current instanceof Mapping there
          && mapping.fields().entrySet().stream()
              .allMatch(
                  field ->
                      field.getKey().equals("conditions")
                          ? hasConditions(there, mapping)
                          : contains(there.get(field.getKey()), field.getValue()));
    }
    if (wanted instanceof Scalar scalar) {
      return current instanceof Scalar there && Objects.equals(there.value(), scalar.value());
    }
    return current != null
        && ValueText.of(current).equals(ValueText.of(wanted)); // lists are compared as a whole
  }

  private static boolean hasConditions(Mapping current, Mapping wanted) {
    List<Value> there = Json.elements(current, "conditions");
    for (Value each : Json.elements(wanted, "conditions")) {
      if (there.stream().noneMatch(other -> contains(other, each))) {
        return false;
      }
    }
    return true;
  }

  private static String reason(String reason) {
    return REASON.matcher(reason).matches() ? reason : "Other";
  }

  /** The text as far as the API server takes it, which counts bytes. */
  static String cut(String text) {
    return cut(text, LONGEST_MESSAGE);
  }

  static String cut(String text, int longest) {
    if (text.getBytes(StandardCharsets.UTF_8).length <= longest) {
      return text;
    }
    int end = Math.min(text.length(), longest / 3 - 3); // three bytes a character at most
    if (Character.isHighSurrogate(text.charAt(end - 1))) {
      end--;
    }
    return text.substring(0, end) + "...";
  }
}
