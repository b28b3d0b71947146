// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import dev.holdfast.config.Mapping;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** How values are shown in error texts: on one line, and not all of what is long. */
final class ErrorText {
  private static final int LONGEST_QUOTE = 80;
  private static final int LONGEST_STEP = 200;
  private static final int LONGEST_LIST = 20;

  private ErrorText() {}

  /** What was found by its sort alone. */
  static String sort(Value value) {
    if (value instanceof Mapping) {
      return "a mapping";
    }
    if (value instanceof Sequence) {
      return "a sequence";
    }
    Object scalar = ((Scalar) value).value();
    if (scalar == null) {
      return "null";
    }
    return scalar instanceof String
        ? "a string"
        : scalar instanceof Boolean ? "true or false" : "a number";
  }

  /** The names of things, as many as fit a line. */
  static <T> String list(List<T> things, Function<T, String> name) {
    String names = things.stream().limit(LONGEST_LIST).map(name).collect(Collectors.joining(", "));
    int rest = things.size() - LONGEST_LIST;
    return rest > 0 ? names + " and " + rest + " more" : names;
  }

  /** A text, or what fits a line of it. */
  static String start(String text) {
    return text.length() > LONGEST_STEP ? text.substring(0, LONGEST_STEP) + "..." : text;
  }

  /** A text as it may stand in a line. */
  static String quote(String text) {
    int end = Math.min(text.length(), LONGEST_QUOTE);
    StringBuilder quoted = new StringBuilder("\"");
    text.substring(0, end)
        .codePoints()
        .forEach(
            c -> {
              if (c == '\n') {
                quoted.append("\\n");
              } else if (Character.isISOControl(c) || (c >= 0xd800 && c <= 0xdfff)) {
                quoted.append(String.format("\\u%04x", c));
              } else {
                quoted.appendCodePoint(c);
              }
            });
    return quoted.append(end < text.length() ? "...\"" : "\"").toString();
  }
}
