// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.search;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.rollout.selection.Baseline;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the other one of two objects that are good alone and bad together. The error text says that
 * something exists twice, and what. If the other object cannot be found, the only loss is that this
 * one is not retried when the other one changes.
 */
public final class ConflictFinder {
  private static final Pattern DUPLICATE =
      Pattern.compile(
          "duplicat|unique|already|conflict|more than one|same name|same match",
          Pattern.CASE_INSENSITIVE);

  private ConflictFinder() {}

  /** The object of the baseline that the offending object conflicts with; null if unknown. */
  public static @Nullable ObjectKey with(
      ConfigObject offender, Verdict.Refused rejection, Baseline baseline) {
    if (!DUPLICATE.matcher(rejection.message()).find()) {
      return null;
    }
    Set<String> shared = Set.copyOf(ErrorHints.literalsIn(rejection.message(), offender));
    if (shared.isEmpty()) {
      return null;
    }
    for (ConfigObject other : baseline.objects()) {
      if (!other.key().equals(offender.key())
          && rejection.resource().contributions().get(other.key()) != null
          && ErrorHints.literalsIn(rejection.message(), other).stream()
              .anyMatch(shared::contains)) {
        return other.key();
      }
    }
    return null;
  }
}
