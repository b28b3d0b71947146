// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.references;

import dev.holdfast.config.Mapping;
import dev.holdfast.config.Position;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the position of a field again, for problems that are found after decoding. */
public final class FieldPositions {
  private static final Pattern STEP = Pattern.compile("([^.\\[\\]]+)|\\[(\\d{1,9})\\]");

  private FieldPositions() {}

  /** The position of the field, or of its nearest existing parent. */
  public static Position of(Mapping body, String path) {
    Value value = body;
    Matcher steps = STEP.matcher(path);
    while (steps.find()) {
      Value next = null;
      if (steps.group(1) != null && value instanceof Mapping mapping) {
        next = mapping.get(steps.group(1));
      } else if (steps.group(2) != null && value instanceof Sequence sequence) {
        int index = Integer.parseInt(steps.group(2));
        next = index < sequence.elements().size() ? sequence.elements().get(index) : null;
      }
      if (next == null) {
        return value.position();
      }
      value = next;
    }
    return value.position();
  }
}
