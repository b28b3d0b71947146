// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import dev.holdfast.config.Mapping;
import dev.holdfast.config.Position;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where in what the author wrote a field of the message stands.
 *
 * @param path as the author spells it
 * @param position of the field; if it is not there, of the nearest around it that is
 */
record SourceLocation(String path, Position position) {
  private static final Pattern STEP =
      Pattern.compile("\\.?([^.\\[\\]]+)|\\[(\\d{1,9})\\]|\\[\"(.*?)\"\\](?=[.\\[]|$)");

  /**
   * @param path by the names in the API: {@code source_code.inline_string}
   */
  static SourceLocation of(Value root, String path) {
    Value value = root;
    StringBuilder written = new StringBuilder();
    Matcher steps = STEP.matcher(path);
    int done = 0;
    while (done < path.length() && steps.find() && steps.start() == done) {
      String name = steps.group(1) == null ? null : spelled(value, steps.group(1));
      Value next = name != null ? child(value, name) : element(value, steps);
      if (next == null) {
        break;
      }
      if (name == null) {
        written.append(steps.group());
      } else {
        written.append(written.length() == 0 ? "" : ".").append(name);
      }
      value = next;
      done = steps.end();
    }
    String rest = path.substring(done);
    if (written.length() == 0 && rest.startsWith(".")) {
      rest = rest.substring(1);
    }
    return new SourceLocation(written + rest, value.position());
  }

  private static String spelled(Value value, String name) {
    boolean camel = value instanceof Mapping mapping && mapping.get(name) == null;
    if (!camel) {
      return name;
    }
    StringBuilder json = new StringBuilder();
    for (String word : name.split("_", -1)) {
      json.append(
          json.length() == 0 || word.isEmpty()
              ? word
              : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
    }
    return json.toString();
  }

  private static @Nullable Value child(Value value, String name) {
    return value instanceof Mapping mapping ? mapping.get(name) : null;
  }

  private static @Nullable Value element(Value value, Matcher step) {
    if (step.group(2) != null && value instanceof Sequence sequence) {
      int index = Integer.parseInt(step.group(2));
      return index < sequence.elements().size() ? sequence.elements().get(index) : null;
    }
    return step.group(3) == null ? null : child(value, step.group(3));
  }
}
