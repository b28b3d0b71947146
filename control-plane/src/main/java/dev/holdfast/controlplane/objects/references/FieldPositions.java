// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.references;

import dev.holdfast.config.Mapping;
import dev.holdfast.config.Position;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds a field again, for problems that are found after decoding. */
public final class FieldPositions {
  private static final Pattern STEP = Pattern.compile("([^.\\[\\]]+)|\\[(\\d{1,9})\\]");

  private FieldPositions() {}

  /** The position of the field's value, or of its nearest existing parent. */
  public static Position of(Mapping body, String path) {
    return find(body, path, (mapping, name, value) -> value.position());
  }

  /** The position of the field's own name, or of its nearest existing parent. */
  public static Position ofName(Mapping body, String path) {
    return find(body, path, (mapping, name, value) -> mapping.keyPosition(name));
  }

  /** Whether there is a mapping at exactly this path. */
  public static boolean isMapping(Mapping body, String path) {
    Value value = body;
    Matcher steps = STEP.matcher(path);
    while (steps.find() && value != null) {
      value = step(value, steps);
    }
    return value instanceof Mapping;
  }

  private static @Nullable Value step(Value value, Matcher step) {
    if (step.group(1) != null) {
      return value instanceof Mapping mapping ? mapping.get(step.group(1)) : null;
    }
    int index = Integer.parseInt(step.group(2));
    return value instanceof Sequence sequence && index < sequence.elements().size()
        ? sequence.elements().get(index)
        : null;
  }

  /** The position of a field of a mapping. */
  private interface FieldPosition {
    Position of(Mapping mapping, String name, Value value);
  }

  private static Position find(Mapping body, String path, FieldPosition field) {
    Value value = body;
    Position position = body.position();
    Matcher steps = STEP.matcher(path);
    while (steps.find()) {
      Value next = step(value, steps);
      if (next == null) {
        return position;
      }
      position =
          value instanceof Mapping mapping
              ? field.of(mapping, steps.group(1), next)
              : next.position();
      value = next;
    }
    return position;
  }
}
