// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.status;

import dev.holdfast.config.AcceptedSpec;
import dev.holdfast.config.ConfigObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compares the newest generation of an object with the one that is served. */
public final class SpecDiff {
  private SpecDiff() {}

  /**
   * The difference from the served spec to the desired spec, line by line; empty if they are equal,
   * or if none is served. The content of a Secret is never shown.
   */
  public static List<String> of(@Nullable ConfigObject served, ConfigObject desired) {
    if (served == null || served.body().equals(desired.body())) {
      return List.of();
    }
    return AcceptedSpec.of(desired).isWhole()
        ? UnifiedDiff.of(SpecText.of(served.body()), SpecText.of(desired.body()))
        : List.of();
  }
}
