// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import com.google.rpc.Code;
import com.google.rpc.Status;
import dev.holdfast.base.Problem;
import dev.holdfast.base.Problems;
import dev.holdfast.xds.client.ResourceType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gathers everything that is wrong with a response, by index, and words the refusal. */
final class Nack {
  private final List<String> faults = new ArrayList<>();
  private int errorCount;

  void resource(int index, @Nullable String name, List<Problem> problems) {
    faults.add(
        "resource index "
            + index
            + ": "
            + (name == null ? "" : name + ": ")
            + Problems.describe(problems));
  }

  void removal(int index, String name) {
    faults.add(
        "removed_resources index " + index + ": " + name + ": also in resources, which counts");
  }

  void resourceError(int index, String fault) {
    errorCount++;
    faults.add("resource_errors index " + index + ": " + fault);
  }

  boolean isEmpty() {
    return faults.isEmpty();
  }

  /** How many of the server's own errors were malformed. */
  int errorCount() {
    return errorCount;
  }

  String text(ResourceType<?> type) {
    StringBuilder text =
        new StringBuilder(type.shortName()).append(" response validation errors: [");
    int shown = 0;
    while (shown < faults.size()
        && text.length() + faults.get(shown).length() <= TextLimits.LONGEST) {
      text.append(shown == 0 ? "" : "; ").append(faults.get(shown));
      shown++;
    }
    if (shown == 0 && !isEmpty()) {
      text.append(TextLimits.bounded(faults.get(0), TextLimits.LONGEST - text.length()));
      shown = 1;
    }
    if (shown < faults.size()) {
      text.append("; and ").append(faults.size() - shown).append(" more");
    }
    return text.append(']').toString();
  }

  /** Null if there is nothing to refuse. */
  @Nullable Status toStatus(ResourceType<?> type) {
    if (isEmpty()) {
      return null;
    }
    return Status.newBuilder().setCode(Code.INVALID_ARGUMENT_VALUE).setMessage(text(type)).build();
  }
}
