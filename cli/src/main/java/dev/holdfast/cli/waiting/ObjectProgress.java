// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.waiting;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.holdfast.cli.client.JsonFields;
import dev.holdfast.cli.client.ObjectName;
import dev.holdfast.cli.client.ReportedObject;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The progress of one object.
 *
 * @param generation the newest that the server has; 0 if it has none
 * @param reason of the condition Programmed; empty if there is none
 */
public record ObjectProgress(
    ObjectName object,
    State state,
    long generation,
    String reason,
    String message,
    Counts proxies) {

  /** The states of an object during a wait. */
  public enum State {
    /** The server has not seen it, or not this generation of it. */
    UNSEEN("unseen"),
    /** Proxies are about to judge it. */
    PENDING("pending"),
    /** All proxies that it concerns run it. */
    PROGRAMMED("programmed"),
    /** It was refused, by a proxy or by the server. */
    REJECTED("rejected"),
    /**
     * It is refused as long as others are as they are, and they may just not have been seen yet.
     */
    DOUBTFUL("rejected"),
    /** It concerns no proxy: nothing that is served refers to it. */
    UNUSED("not-referenced"),
    /** It is not there. */
    REMOVED("removed");

    private final String word;

    State(String word) {
      this.word = word;
    }

    /** The word in all output formats. */
    public String word() {
      return word;
    }
  }

  /** Of the proxies that it concerns. */
  public record Counts(long total, long programmed, long pending, long rejected) {
    static final Counts NONE = new Counts(0, 0, 0, 0);

    static Counts of(JsonObject json) {
      return new Counts(
          JsonFields.number(json, "total"),
          JsonFields.number(json, "programmed"),
          JsonFields.number(json, "pending"),
          JsonFields.number(json, "rejected"));
    }
  }

  /**
   * @param report null if the server has no such object
   */
  static ObjectProgress of(WaitTarget target, WaitCondition waitFor, @Nullable JsonObject report) {
    ObjectName name = target.object();
    if (report == null) {
      State state = waitFor == WaitCondition.removed ? State.REMOVED : State.UNSEEN;
      return new ObjectProgress(name, state, 0, "", "", Counts.NONE);
    }
    long generation = JsonFields.number(report, "generation");
    JsonObject condition = ReportedObject.condition(report, "Programmed");
    boolean current = JsonFields.number(condition, "observedGeneration") == generation;
    JsonObject valid = ReportedObject.condition(report, "Valid");
    if (current
        && JsonFields.text(condition, "status").equals("Unknown")
        && JsonFields.text(valid, "status").equals("False")
        && JsonFields.number(valid, "observedGeneration") == generation) {
      condition = invalid(valid); // whatever proxies will answer, not all of it is served
    }
    State state = State.PENDING;
    if (generation < target.generation()) {
      state = State.UNSEEN;
    } else if (current && waitFor != WaitCondition.removed) {
      state = state(JsonFields.text(condition, "status"), JsonFields.text(condition, "reason"));
    }
    return new ObjectProgress(
        name,
        state,
        generation,
        current ? JsonFields.text(condition, "reason") : "",
        current ? JsonFields.text(condition, "message") : "",
        Counts.of(JsonFields.object(report, "proxies")));
  }

  private static JsonObject invalid(JsonObject valid) {
    JsonObject condition = valid.deepCopy();
    condition.addProperty("reason", "Invalid");
    return condition;
  }

  private static State state(String status, String reason) {
    if (status.equals("True")) {
      return State.PROGRAMMED;
    }
    if (!status.equals("False")) {
      return State.PENDING;
    }
    return switch (reason) {
      case "NotReferenced" -> State.UNUSED;
      case "AttributionPending" -> State.PENDING; // it is tried by itself next
      case "Invalid", "InvalidNew", "DependencyRejected" -> State.DOUBTFUL;
      default -> State.REJECTED;
    };
  }

  /** {@code KIND/NAMESPACE/NAME}. */
  public String key() {
    return object.toString();
  }

  JsonObject json() {
    JsonObject json = new JsonObject();
    json.addProperty("kind", object.kind());
    json.addProperty("namespace", object.namespace());
    json.addProperty("name", object.name());
    addTo(json);
    return json;
  }

  /** The same fields for an object that nothing is known of but a word. */
  public static Map<String, JsonElement> unknown(String state) {
    JsonObject json = new JsonObject();
    new ObjectProgress(new ObjectName("", "", ""), State.UNSEEN, 0, "", "", Counts.NONE)
        .addTo(json);
    json.addProperty("state", state);
    return json.asMap();
  }

  /** Everything but the name. */
  public void addTo(JsonObject json) {
    json.addProperty("generation", generation);
    json.addProperty("state", state.word());
    json.addProperty("reason", reason);
    json.addProperty("message", message);
    JsonObject counts = new JsonObject();
    counts.addProperty("total", proxies.total);
    counts.addProperty("programmed", proxies.programmed);
    counts.addProperty("pending", proxies.pending);
    counts.addProperty("rejected", proxies.rejected);
    json.add("proxies", counts);
  }
}
