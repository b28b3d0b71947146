// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.rollout.search.Attribution;
import dev.holdfast.controlplane.rollout.selection.Bundle;
import dev.holdfast.controlplane.rollout.selection.Trial;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;

/**
 * What a rollout does next. {@link RolloutMachine} decides, and carries each decision out in one
 * method, which gives the decision that follows.
 */
sealed interface RolloutDecision {
  /** The kinds of decisions. */
  enum Kind {
    WAIT,
    SHOW_EVERYTHING,
    START_TRIAL,
    CONFIRM,
    COMMIT,
    ADVANCE_SEARCH,
    ATTRIBUTE,
    REPLACE_CANARY,
    LOSE_CANARY,
    CONVICT,
    HOLD_FOUND,
    ACQUIT,
    MOVE_SEARCH,
    START_OVER,
    JUDGE,
    OVERRULE,
    HOLD_OFFENDER,
    SUSPEND_SUSPECTS,
    LEAVE_OUT_CLASS,
    FREEZE,
    REST
  }

  Kind kind();

  /**
   * Do nothing until the next event.
   *
   * @param wakeUp after which time at the latest; zero if only an event can help
   */
  record Wait(Duration wakeUp) implements RolloutDecision {
    @Override
    public Kind kind() {
      return Kind.WAIT;
    }
  }

  /** There is no baseline: show every desired object to all proxies. */
  record ShowEverything() implements RolloutDecision {
    @Override
    public Kind kind() {
      return Kind.SHOW_EVERYTHING;
    }
  }

  /** Try some bundles on top of the baseline. */
  record StartTrial(List<Bundle> bundles) implements RolloutDecision {
    @Override
    public Kind kind() {
      return Kind.START_TRIAL;
    }
  }

  /**
   * The canaries accepted the trial: show it to a second proxy of each class that has one.
   *
   * @param seconds these proxies, by class
   */
  record Confirm(Trial trial, SortedMap<String, String> seconds) implements RolloutDecision {
    @Override
    public Kind kind() {
      return Kind.CONFIRM;
    }
  }

  /** Everybody who was asked accepted the trial: its selection becomes the baseline. */
  record Commit(Trial trial) implements RolloutDecision {
    @Override
    public Kind kind() {
      return Kind.COMMIT;
    }
  }

  /** The searchers accepted a step of the search; others are asked when it is over. */
  record AdvanceSearch(Attribution attribution) implements RolloutDecision {
    @Override
    public Kind kind() {
      return Kind.ADVANCE_SEARCH;
    }
  }

  /** A proxy refused the trial: search for the object that caused it. */
  record Attribute(Trial trial, Verdict.Refused refused, String refuser)
      implements RolloutDecision {
    @Override
    public Kind kind() {
      return Kind.ATTRIBUTE;
    }
  }

  /** A canary does not vote any more: ask another one. */
  record ReplaceCanary(String node) implements RolloutDecision {
    @Override
    public Kind kind() {
      return Kind.REPLACE_CANARY;
    }
  }

  /** A canary left or did not answer: what it was shown is suspected, and shown to another one. */
  record LoseCanary(Trial trial, TrialOutcome.Lost lost) implements RolloutDecision {
    @Override
    public Kind kind() {
      return Kind.LOSE_CANARY;
    }
  }

  /** Too many canaries were lost under a change: hold it. */
  record Convict(LostCanaries.Conviction conviction) implements RolloutDecision {
    @Override
    public Kind kind() {
      return Kind.CONVICT;
    }
  }

  /** The gate does not let a change through at all: hold it. */
  record HoldFound(TrialGate.Found found) implements RolloutDecision {
    @Override
    public Kind kind() {
      return Kind.HOLD_FOUND;
    }
  }

  /** The canaries that an object was held for live: try it again. */
  record Acquit(ObjectKey key) implements RolloutDecision {
    @Override
    public Kind kind() {
      return Kind.ACQUIT;
    }
  }

  /** Let proxies that have nothing to lose go on with the search. */
  record MoveSearch(Attribution attribution, SortedMap<String, String> searchers)
      implements RolloutDecision {
    @Override
    public Kind kind() {
      return Kind.MOVE_SEARCH;
    }
  }

  /** Objects changed under the search: end it, and try what is pending as if it had not been. */
  record StartOver(Attribution attribution) implements RolloutDecision {
    @Override
    public Kind kind() {
      return Kind.START_OVER;
    }
  }

  /**
   * The search is over: ask another proxy of the class.
   *
   * @param accepted the proxies that were asked before, and accepted what was found
   */
  record Judge(Attribution attribution, String judge, List<String> accepted)
      implements RolloutDecision {
    @Override
    public Kind kind() {
      return Kind.JUDGE;
    }
  }

  /** Most proxies accept what one has refused: try it again without that one. */
  record Overrule(Attribution attribution) implements RolloutDecision {
    @Override
    public Kind kind() {
      return Kind.OVERRULE;
    }
  }

  /**
   * The search is over: hold the object that it found.
   *
   * @param judges the proxies that judged it, if they are no majority; see {@code Evidence}
   * @param accepted the proxies that accepted it, against the majority
   * @param isForOneReason whether all who refuse it refuse the same resource, and nobody else
   */
  record HoldOffender(
      ConfigObject object,
      Attribution attribution,
      List<String> judges,
      List<String> accepted,
      boolean isForOneReason)
      implements RolloutDecision {
    @Override
    public Kind kind() {
      return Kind.HOLD_OFFENDER;
    }
  }

  /** The search costs too much: hold all suspects that are left, and release them one by one. */
  record SuspendSuspects(Attribution attribution) implements RolloutDecision {
    @Override
    public Kind kind() {
      return Kind.SUSPEND_SUSPECTS;
    }
  }

  /** All proxies of a class keep what they run, and the others go on without its vote. */
  record LeaveOutClass(String proxyClass) implements RolloutDecision {
    @Override
    public Kind kind() {
      return Kind.LEAVE_OUT_CLASS;
    }
  }

  /** The cause cannot be found without taking away what proxies run: wait for an edit. */
  record Freeze(Attribution attribution) implements RolloutDecision {
    @Override
    public Kind kind() {
      return Kind.FREEZE;
    }
  }

  /** Nothing is pending: end the incident, apply deletions that waited, release one suspect. */
  record Rest() implements RolloutDecision {
    @Override
    public Kind kind() {
      return Kind.REST;
    }
  }

  RolloutDecision WAIT = new Wait(Duration.ZERO);
  RolloutDecision SHOW_EVERYTHING = new ShowEverything();
  RolloutDecision REST = new Rest();
}
