// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.check;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.Position;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A field of an object, and where it is written.
 *
 * @param path such as {@code spec.routes[0].conditions[0].header.regex}
 */
record AuthorText(String path, Position position) {
  /** Shorter values stand in many texts by chance. */
  private static final int SHORTEST = 5;

  private static final int DEEPEST = 100;

  /** The field at a path, or as much of the way to it as there is. */
  static AuthorText at(String path, ConfigObject object) {
    Value value = object.body();
    StringBuilder done = new StringBuilder();
    for (String step : path.isEmpty() ? new String[0] : path.split("\\.|(?=\\[)", -1)) {
      Value next = null;
      if (value instanceof Mapping mapping) {
        next = mapping.get(step);
      } else if (value instanceof Sequence sequence && step.matches("\\[[0-9]{1,8}]")) {
        int index = Integer.parseInt(step.substring(1, step.length() - 1));
        next = index < sequence.elements().size() ? sequence.elements().get(index) : null;
      }
      if (next == null) {
        break;
      }
      done.append(done.isEmpty() || step.startsWith("[") ? "" : ".").append(step);
      value = next;
    }
    return new AuthorText(done.toString(), value.position());
  }

  /** The one field whose value a proxy quotes; null if it quotes none, or several. */
  static @Nullable AuthorText quotedIn(String message, ConfigObject object) {
    List<AuthorText> found = new ArrayList<>();
    find("", object.body(), message, found, 0);
    long distinct = found.stream().map(AuthorText::path).distinct().count();
    return distinct == 1 ? found.get(0) : null;
  }

  private static void find(
      String path, Value value, String message, List<AuthorText> found, int depth) {
    if (depth > DEEPEST) {
      return;
    }
    if (value instanceof Mapping mapping) {
      for (Map.Entry<String, Value> field : mapping.fields().entrySet()) {
        String inner = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
        find(inner, field.getValue(), message, found, depth + 1);
      }
    } else if (value instanceof Sequence sequence) {
      for (int i = 0; i < sequence.elements().size(); i++) {
        find(path + "[" + i + "]", sequence.elements().get(i), message, found, depth + 1);
      }
    } else if (value instanceof Scalar scalar
        && scalar.value() instanceof String text
        && text.length() >= SHORTEST
        && !path.endsWith("@type")
        && message.contains(text)) {
      found.add(new AuthorText(path, scalar.position()));
    }
  }
}
