// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import com.google.gson.JsonObject;
import dev.holdfast.cli.client.JsonFields;
import dev.holdfast.cli.client.ReportedObject;
import dev.holdfast.cli.output.SafeText;
import dev.holdfast.cli.output.Style;
import dev.holdfast.cli.output.Style.Colour;
import dev.holdfast.cli.output.TextWrap;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What happened, for people, as lines of a log: the next one may come a day later, so that no table
 * can know how wide its columns will be.
 */
final class HistoryText {
  private static final int LONGEST_KIND = 18;
  private static final int ROOM_FOR_DETAILS = 40;
  private static final String INDENT = "    ";
  private static final Pattern GENERATION = Pattern.compile("generation \\d+\\b");

  private HistoryText() {}

  static List<String> render(List<JsonObject> entries, int width, Style style) {
    List<String> lines = new ArrayList<>();
    entries.forEach(entry -> lines.addAll(lines(entry, width, style)));
    return lines.isEmpty() ? List.of("no events") : lines;
  }

  static List<String> lines(JsonObject entry, int width, Style style) {
    String kind = SafeText.text(JsonFields.text(entry, "kind"));
    String time = SafeText.text(JsonFields.text(entry, "at"));
    String gap = " ".repeat(Math.max(0, LONGEST_KIND - TextWrap.width(kind)));
    String head = style.apply(Colour.FAINT, time) + "  " + style.apply(colour(kind), kind);
    String details = SafeText.text(details(entry));
    int left = width - TextWrap.width(time + kind + gap) - 4;
    List<String> lines = new ArrayList<>();
    if (details.isEmpty()) {
      lines.add(head);
    } else if (TextWrap.width(details) <= left) {
      lines.add(head + gap + "  " + details);
    } else if (left >= ROOM_FOR_DETAILS) {
      List<String> first = TextWrap.lines(details, left);
      lines.add(head + gap + "  " + first.get(0));
      String rest = details.substring(first.get(0).length()).strip();
      TextWrap.lines(rest, width - INDENT.length()).forEach(line -> lines.add(INDENT + line));
    } else {
      lines.add(head);
      TextWrap.lines(details, width - INDENT.length()).forEach(line -> lines.add(INDENT + line));
    }
    return lines;
  }

  private static String details(JsonObject entry) {
    List<String> parts = new ArrayList<>();
    JsonObject object = JsonFields.object(entry, "object");
    if (!object.isEmpty()) {
      parts.add(
          ReportedObject.key(object) + " generation " + JsonFields.number(entry, "generation"));
    }
    String resource = JsonFields.text(entry, "resource");
    if (!resource.isEmpty()) {
      parts.add(resource);
    }
    String proxy = JsonFields.text(entry, "proxy");
    if (!proxy.isEmpty()) {
      parts.add("proxy " + proxy);
    }
    String took = IncidentTable.duration(entry, "tookMillis");
    if (!took.isEmpty()) {
      parts.add("after " + took);
    }
    return told(String.join(", ", parts), JsonFields.text(entry, "message"));
  }

  /** A generation that a message begins with is not told twice. */
  private static String told(String text, String message) {
    Matcher generation = GENERATION.matcher(message);
    if (generation.lookingAt() && text.endsWith(" " + generation.group())) {
      return text + message.substring(generation.end());
    }
    return text.isEmpty() || message.isEmpty() ? text + message : text + ": " + message;
  }

  private static Colour colour(String kind) {
    return switch (kind) {
      case "PROGRAMMED", "RECOVERED", "VALID_AGAIN" -> Colour.GOOD;
      case "REJECTED", "INVALID", "PROXY_DIVERGED" -> Colour.BAD;
      case "INCIDENT", "CLASS_SEPARATED" -> Colour.WARNING;
      default -> Colour.NONE;
    };
  }
}
