// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.holdfast.cli.client.JsonFields;
import dev.holdfast.cli.client.ReportedObject;
import dev.holdfast.cli.output.SafeText;
import dev.holdfast.cli.output.Style;
import dev.holdfast.cli.output.Style.Colour;
import java.util.ArrayList;
import java.util.List;

/**
 * What an object says against what is served of it.
 *
 * @param served 0 if nothing is
 * @param lines of a unified diff, without its head; none if that is not told
 */
record ObjectDiff(JsonObject object, long generation, long served, List<String> lines) {
  static ObjectDiff of(JsonObject object) {
    return new ObjectDiff(
        object,
        JsonFields.number(object, "generation"),
        JsonFields.number(object, "servedGeneration"),
        JsonFields.texts(object, "diff"));
  }

  /** A newer generation may say what an older one did; of a Secret that cannot be told. */
  boolean isOne() {
    return !lines.isEmpty()
        || served == 0
        || (isSecret() && served != generation)
        || isWrong()
        || isFalse(source());
  }

  /** Whether the newest generation, or a part of it, is not in force, or should not be any more. */
  boolean isIncomplete() {
    return served != generation || isWrong();
  }

  /** Whether it is for this control plane, and something that is served refers to it. */
  boolean isExpected() {
    return isInPart() || isFalse(deletion()) || !isUnused();
  }

  private boolean isUnused() {
    return JsonFields.text(programmed(), "reason").equals("NotReferenced");
  }

  /** Whether the object is not valid, held, served in part, or deleted and still served. */
  boolean isWrong() {
    return isInPart() || isFalse(deletion());
  }

  /** Whether the object is not valid, held, or served in part. */
  boolean isInPart() {
    return isFalse(valid()) || (isFalse(programmed()) && !isUnused());
  }

  /** Why the newest generation is not in force; the reason of a condition. */
  String reason() {
    return isFalse(valid()) && !isFalse(programmed())
        ? "Invalid"
        : JsonFields.text(told(), "reason");
  }

  String message() {
    return JsonFields.text(told(), "message");
  }

  /** The condition that says most about a difference. */
  private JsonObject told() {
    if (isInPart()) {
      return isFalse(programmed()) ? programmed() : valid();
    }
    if (isFalse(deletion())) {
      return deletion();
    }
    return isFalse(source()) && !isUnused() ? source() : programmed();
  }

  private JsonObject programmed() {
    return ReportedObject.condition(object, "Programmed");
  }

  private JsonObject valid() {
    return ReportedObject.condition(object, "Valid");
  }

  /** False if the object was deleted, and is served until somebody confirms that. */
  private JsonObject deletion() {
    return ReportedObject.condition(object, "Deletion");
  }

  /** False if what is written may be another thing than what the server has read. */
  private JsonObject source() {
    return ReportedObject.condition(object, "Source");
  }

  private static boolean isFalse(JsonObject condition) {
    return JsonFields.text(condition, "status").equals("False");
  }

  private boolean isSecret() {
    return JsonFields.text(object, "kind").equals("Secret");
  }

  JsonObject json() {
    JsonObject json = new JsonObject();
    for (String field : List.of("kind", "namespace", "name")) {
      json.addProperty(field, JsonFields.text(object, field));
    }
    json.addProperty("generation", generation);
    json.addProperty("servedGeneration", served);
    json.addProperty("different", isOne());
    json.addProperty("reason", reason());
    json.addProperty("message", message());
    JsonArray array = new JsonArray();
    lines.forEach(array::add);
    json.add("diff", array);
    return json;
  }

  List<String> render(Style style) {
    String key = SafeText.text(ReportedObject.key(object));
    if (lines.isEmpty()) {
      return List.of(key + ": " + sentence());
    }
    List<String> text = new ArrayList<>();
    if (isWrong()) {
      text.add(style.apply(Colour.BAD, key + ": " + why()));
    }
    text.add(style.apply(Colour.HEADING, "--- " + key + " generation " + served + " (live)"));
    text.add(style.apply(Colour.HEADING, "+++ " + key + " generation " + generation + " (newest)"));
    lines.forEach(line -> text.add(style.apply(colour(line), SafeText.text(line))));
    return text;
  }

  private String why() {
    return SafeText.text(reason() + ": " + message());
  }

  private String sentence() {
    if (served == 0) {
      return "not live: no generation is served (the newest is "
          + generation
          + ")"
          + (reason().isEmpty() ? "" : "; " + why());
    }
    if (!isOne()) {
      return "no difference: generation " + served + " is live";
    }
    if (served == generation) {
      return "generation "
          + served
          + (isInPart() ? " is live, but not all of it; " : " is live, and not what is written; ")
          + why();
    }
    return "generation "
        + served
        + " is live, "
        + generation
        + " is the newest"
        + (isSecret() ? " (the content of a Secret is not shown)" : "")
        + (isWrong() ? "; " + why() : "");
  }

  /** The colour of a line of a diff. */
  static Colour colour(String line) {
    if (line.startsWith("+")) {
      return Colour.GOOD;
    }
    return line.startsWith("-") ? Colour.BAD : Colour.NONE;
  }
}
