// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.status;

import dev.holdfast.config.AcceptedSpec;
import dev.holdfast.config.ConfigObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an author wants, against what is served of it. */
public final class SpecDiff {
  private SpecDiff() {}

  /**
   * From what is served to what is wanted, line by line; empty if that is the same, or nothing is
   * served. Of a Secret nothing is told.
   */
  public static List<String> of(@Nullable ConfigObject served, ConfigObject wanted) {
    if (served == null || served.body().equals(wanted.body())) {
      return List.of();
    }
    return AcceptedSpec.of(wanted).isWhole()
        ? UnifiedDiff.of(SpecText.of(served.body()), SpecText.of(wanted.body()))
        : List.of();
  }
}
