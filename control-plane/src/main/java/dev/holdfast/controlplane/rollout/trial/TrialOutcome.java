// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import dev.holdfast.controlplane.rollout.fleet.Verdict;
import java.util.Collection;
import java.util.function.Function;

/** What the canaries of a trial, taken together, make of it. */
sealed interface TrialOutcome {
  /** The kinds of outcomes. */
  enum Kind {
    UNDECIDED,
    ACCEPTED,
    REFUSED,
    LOST
  }

  Kind kind();

  /** No canary refused, and at least one may still answer. */
  record Undecided() implements TrialOutcome {
    @Override
    public Kind kind() {
      return Kind.UNDECIDED;
    }
  }

  /** Every canary accepted. */
  record Accepted() implements TrialOutcome {
    @Override
    public Kind kind() {
      return Kind.ACCEPTED;
    }
  }

  /** A canary refused. */
  record Refused(String node, Verdict.Refused verdict) implements TrialOutcome {
    @Override
    public Kind kind() {
      return Kind.REFUSED;
    }
  }

  /**
   * A canary left, or did not answer in time. That is not a rejection, but may have the same cause.
   *
   * @param isSilent whether it is still connected
   */
  record Lost(String node, boolean isSilent) implements TrialOutcome {
    @Override
    public Kind kind() {
      return Kind.LOST;
    }
  }

  TrialOutcome UNDECIDED = new Undecided();
  TrialOutcome ACCEPTED = new Accepted();

  /**
   * Is this trial accepted, refused, or still open? The first canary that refuses or fails to
   * answer decides.
   *
   * @param overdue whether the time for answers is over
   */
  static TrialOutcome of(
      Collection<String> canaries, Function<String, Verdict> verdicts, boolean overdue) {
    boolean open = false;
    for (String node : canaries) {
      Verdict verdict = verdicts.apply(node);
      switch (verdict.kind()) {
        case ACCEPTED -> {}
        case REFUSED -> {
          return new Refused(node, (Verdict.Refused) verdict);
        }
        case GONE -> {
          return new Lost(node, /* isSilent= */ false);
        }
        case OPEN -> {
          if (overdue && !((Verdict.Open) verdict).isOurs()) {
            return new Lost(node, /* isSilent= */ true);
          }
          open = true;
        }
      }
    }
    return open ? UNDECIDED : ACCEPTED;
  }
}
