// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/**
 * A part of a resource, such as {@code virtual_hosts[3].routes[2]}. Fields may be written as in
 * protobuf or as in its JSON.
 *
 * @param steps fields and indexes, from the outside in
 */
record FieldPath(List<String> steps) {
  static final FieldPath WHOLE = new FieldPath(List.of());

  private static final Pattern STEP =
      Pattern.compile("(?:^|(?<=.)\\.)([A-Za-z_@][A-Za-z0-9_]*)|\\[(0|[1-9][0-9]{0,8})\\]");
  private static final Pattern CAPITAL = Pattern.compile("[A-Z]");

  FieldPath {
    steps = List.copyOf(steps);
  }

  /**
   * @throws TypeConversionException if it is none
   */
  static FieldPath parse(String text) {
    List<String> steps = new ArrayList<>();
    Matcher matcher = STEP.matcher(text);
    int end = 0;
    while (matcher.find() && matcher.start() == end) {
      String field = matcher.group(1);
      steps.add(field == null ? matcher.group(2) : snake(field));
      end = matcher.end();
    }
    if (end < text.length()) {
      throw new TypeConversionException(
          "path: '" + text + "' (expected: such as virtual_hosts[3].routes[2])");
    }
    return new FieldPath(steps);
  }

  private static String snake(String field) {
    return CAPITAL.matcher(field).replaceAll(match -> "_" + (char) (match.group().charAt(0) | 32));
  }

  /** Whether another part is this one or within it. */
  boolean holds(FieldPath other) {
    return other.steps.size() >= steps.size() && other.steps.subList(0, steps.size()).equals(steps);
  }

  /** What a message, as JSON, has not, and what it has in its place; empty if it has this part. */
  String problemIn(JsonElement body) {
    JsonElement at = body;
    for (int i = 0; i < steps.size(); i++) {
      JsonElement next = step(at, steps.get(i));
      if (next == null) {
        return new FieldPath(steps.subList(0, i + 1)) + " (expected: " + within(at) + ")";
      }
      at = next;
    }
    return "";
  }

  private static String within(JsonElement at) {
    if (at instanceof JsonArray array && !array.isEmpty()) {
      return array.size() == 1 ? "[0]" : "[0] to [" + (array.size() - 1) + "]";
    }
    if (at instanceof JsonObject object && !object.isEmpty()) {
      return object.keySet().stream().map(FieldPath::snake).collect(Collectors.joining(", "));
    }
    return "nothing: there is no more";
  }

  private static @Nullable JsonElement step(JsonElement at, String step) {
    if (at instanceof JsonArray array) {
      boolean isIndex = Character.isDigit(step.charAt(0));
      return isIndex && Integer.parseInt(step) < array.size()
          ? array.get(Integer.parseInt(step))
          : null;
    }
    if (at instanceof JsonObject object) {
      for (String field : object.keySet()) {
        if (snake(field).equals(step)) {
          return object.get(field);
        }
      }
    }
    return null;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (String step : steps) {
      if (Character.isDigit(step.charAt(0))) {
        text.append('[').append(step).append(']');
      } else {
        text.append(text.length() == 0 ? "" : ".").append(step);
      }
    }
    return text.toString();
  }
}
