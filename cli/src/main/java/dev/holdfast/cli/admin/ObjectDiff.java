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
    return !lines.isEmpty() || served == 0 || (isSecret() && served != generation);
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
    text.add(style.apply(Colour.HEADING, "--- " + key + " generation " + served + ", served"));
    text.add(style.apply(Colour.HEADING, "+++ " + key + " generation " + generation + ", wanted"));
    lines.forEach(line -> text.add(style.apply(colour(line), SafeText.text(line))));
    return text;
  }

  private String sentence() {
    if (served == 0) {
      return "nothing is served of it (generation " + generation + " is wanted)";
    }
    return isOne()
        ? "generation "
            + served
            + " is served, "
            + generation
            + " is wanted; it is not shown how"
            + " they differ"
        : "what is wanted is served (generation " + served + ")";
  }

  /** The colour of a line of a diff. */
  static Colour colour(String line) {
    if (line.startsWith("+")) {
      return Colour.GOOD;
    }
    return line.startsWith("-") ? Colour.BAD : Colour.NONE;
  }
}
