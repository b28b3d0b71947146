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
 * Finds the other one of two objects that are fine alone and bad together, by what was said when
 * they met: that something is there twice, and what. If it cannot be found, nothing is lost but a
 * trial when the other one changes.
 */
public final class ConflictFinder {
  private static final Pattern TWICE =
      Pattern.compile(
          "duplicat|unique|already|conflict|more than one|same name|same match",
          Pattern.CASE_INSENSITIVE);

  private ConflictFinder() {}

  /** The accepted object that one to blame does not go together with; null if none is known. */
  public static @Nullable ObjectKey with(
      ConfigObject culprit, Verdict.Refused evidence, Baseline base) {
    if (!TWICE.matcher(evidence.message()).find()) {
      return null;
    }
    Set<String> shared = Set.copyOf(ErrorHints.literalsIn(evidence.message(), culprit));
    if (shared.isEmpty()) {
      return null;
    }
    for (ConfigObject other : base.objects()) {
      if (!other.key().equals(culprit.key())
          && evidence.resource().contributions().get(other.key()) != null
          && ErrorHints.literalsIn(evidence.message(), other).stream().anyMatch(shared::contains)) {
        return other.key();
      }
    }
    return null;
  }
}
