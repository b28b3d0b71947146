// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import com.google.gson.JsonObject;
import dev.holdfast.cli.client.JsonFields;
import dev.holdfast.cli.client.ReportedObject;
import dev.holdfast.cli.output.SafeText;
import dev.holdfast.cli.output.Style;
import dev.holdfast.cli.output.Style.Colour;
import dev.holdfast.cli.output.TextWrap;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The text output of {@code get problems}. Not a table: messages are long, and each problem has a
 * place of its own to look at.
 */
final class ProblemList {
  private static final String HINT = " (did you mean ";

  private static final String INDENT = "    ";

  private ProblemList() {}

  static List<String> render(JsonObject list, Instant now, int width, Style style) {
    List<JsonObject> problems = JsonFields.of(list, "items");
    if (problems.isEmpty()) {
      return List.of("no problems");
    }
    List<String> lines = new ArrayList<>();
    for (JsonObject problem : problems) {
      boolean isWarning = JsonFields.text(problem, "severity").equals("warning");
      lines.add(
          style.apply(Colour.HEADING, SafeText.text(about(problem)))
              + "  "
              + style.apply(
                  isWarning ? Colour.WARNING : Colour.BAD,
                  SafeText.text(JsonFields.text(problem, "reason")))
              + SafeText.text(facts(problem, now)));
      for (String text : texts(problem)) {
        for (String line : TextWrap.lines(SafeText.text(text), width - INDENT.length())) {
          lines.add(INDENT + line);
        }
      }
    }
    return lines;
  }

  private static String about(JsonObject problem) {
    if (!JsonFields.text(problem, "kind").isEmpty()) {
      return ReportedObject.key(problem);
    }
    String proxy = JsonFields.text(problem, "proxy");
    return proxy.isEmpty() ? JsonFields.text(problem, "location") : "proxy " + proxy;
  }

  private static String facts(JsonObject problem, Instant now) {
    String since = JsonFields.text(problem, "since");
    return serving(problem)
        + (since.isEmpty() ? "" : ", for " + ProxyTable.age(since, now))
        + (JsonFields.text(problem, "kind").isEmpty() ? "" : ", " + place(problem));
  }

  private static String place(JsonObject problem) {
    String place = JsonFields.text(problem, "location");
    return place.isEmpty() ? "place unknown" : place;
  }

  private static String serving(JsonObject problem) {
    String served = JsonFields.text(problem, "servedGeneration");
    return switch (JsonFields.text(problem, "serving")) {
      case "nothing" -> ", nothing is served";
      case "previous" -> ", serving generation " + served;
      case "part" -> ", serving part of generation " + served;
      case "all" -> ", serving generation " + served;
      default -> "";
    };
  }

  /**
   * The message, and the details that it does not contain. A detail may say more than the message
   * does about the same thing, and then stands in it: it suggests another name.
   */
  private static List<String> texts(JsonObject problem) {
    String message = JsonFields.text(problem, "message");
    List<String> others = new ArrayList<>();
    for (String detail : JsonFields.texts(problem, "details")) {
      int hint = detail.lastIndexOf(HINT);
      String known = hint < 0 ? detail : detail.substring(0, hint);
      if (!message.contains(known)) {
        others.add(detail);
      } else if (!message.contains(detail)) {
        message = message.replace(known, detail);
      }
    }
    List<String> texts = new ArrayList<>(List.of(message));
    texts.addAll(others);
    return texts;
  }
}
