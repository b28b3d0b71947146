// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.search.Attribution;
import dev.holdfast.controlplane.rollout.selection.Trial;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a rollout. Each state holds what exists in that state only. {@link
 * RolloutTransitions} has the transitions.
 */
sealed interface RolloutState {
  /** The kinds of states. */
  enum Kind {
    /** The source has not reported the objects yet. Nothing is decided. */
    AWAITING_OBJECTS,
    /** There is no baseline. All proxies are shown every desired object. */
    COLD_START,
    /**
     * There is no baseline, and a rejection cannot be attributed without taking away what proxies
     * run. All proxies stay on what they are shown until an author edits something.
     */
    FROZEN,
    /** The baseline is served, and no trial is shown. */
    IDLE,
    /** Canaries are shown the pending changes. */
    TRYING,
    /** A trial was refused. Canaries are shown a step of the search for the cause. */
    SEARCHING,
    /** A search is under way, and its next step waits for a canary or for the state store. */
    SEARCH_WAITING,
    /**
     * A search has found the cause, according to one proxy. Others of its class are shown it, one
     * after the other, until two of them agree or nobody is left.
     */
    JUDGING,
    /** Nothing more happens. */
    CLOSED
  }

  Kind kind();

  /** The trial that is shown; null if none is. */
  default @Nullable Trial trial() {
    return null;
  }

  /** The search under way; null if none is. */
  default @Nullable Attribution attribution() {
    return null;
  }

  /** The same state after its trial changed. */
  default RolloutState with(Trial trial) {
    return this;
  }

  /**
   * The state after an object was deleted: a trial or a search that is about it has lost its
   * meaning.
   *
   * @param hasBaseline whether there is a baseline
   */
  default RolloutState without(ObjectKey key, boolean hasBaseline) {
    Trial trial = trial();
    boolean tried = trial != null && trial.contains(key);
    Attribution attribution = attribution();
    boolean searched = attribution != null && attribution.concerns(key);
    return switch (kind()) {
      case AWAITING_OBJECTS -> tried ? new AwaitingObjects(null) : this;
      case TRYING, JUDGING -> tried ? new Idle() : this;
      case SEARCHING -> {
        if (searched) {
          yield trial != null && !tried && hasBaseline ? new Trying(trial) : new Idle();
        }
        yield tried && attribution != null ? new SearchWaiting(attribution) : this;
      }
      case SEARCH_WAITING -> searched ? new Idle() : this;
      // At a cold start everything is shown anew after each change.
      case COLD_START, FROZEN, IDLE, CLOSED -> this;
    };
  }

  /**
   * See {@link Kind#AWAITING_OBJECTS}.
   *
   * @param trial a trial that proxies are shown already, taken over from another rollout
   */
  record AwaitingObjects(@Nullable Trial trial) implements RolloutState {
    @Override
    public Kind kind() {
      return Kind.AWAITING_OBJECTS;
    }
  }

  /** See {@link Kind#COLD_START}; the trial is of every desired object. */
  record ColdStart(Trial trial) implements RolloutState {
    @Override
    public Kind kind() {
      return Kind.COLD_START;
    }

    @Override
    public RolloutState with(Trial changed) {
      return new ColdStart(changed);
    }
  }

  /** See {@link Kind#FROZEN}; the trial is of every desired object. */
  record Frozen(Trial trial) implements RolloutState {
    @Override
    public Kind kind() {
      return Kind.FROZEN;
    }

    @Override
    public RolloutState with(Trial changed) {
      return new Frozen(changed);
    }
  }

  /** See {@link Kind#IDLE}. */
  record Idle() implements RolloutState {
    @Override
    public Kind kind() {
      return Kind.IDLE;
    }
  }

  /** See {@link Kind#TRYING}. */
  record Trying(Trial trial) implements RolloutState {
    @Override
    public Kind kind() {
      return Kind.TRYING;
    }

    @Override
    public RolloutState with(Trial changed) {
      return new Trying(changed);
    }
  }

  /** See {@link Kind#SEARCHING}. */
  record Searching(Attribution attribution, Trial trial) implements RolloutState {
    @Override
    public Kind kind() {
      return Kind.SEARCHING;
    }

    @Override
    public RolloutState with(Trial changed) {
      return new Searching(attribution, changed);
    }
  }

  /** See {@link Kind#SEARCH_WAITING}. */
  record SearchWaiting(Attribution attribution) implements RolloutState {
    @Override
    public Kind kind() {
      return Kind.SEARCH_WAITING;
    }
  }

  /**
   * See {@link Kind#JUDGING}.
   *
   * @param trial the baseline with what was found; the refuser tries it as a canary, and the judge
   *     as the second
   * @param judge the proxy that is asked now
   * @param accepted those that were asked before, and accepted it
   */
  record Judging(Attribution attribution, Trial trial, String judge, List<String> accepted)
      implements RolloutState {
    public Judging {
      accepted = List.copyOf(accepted);
    }

    @Override
    public Kind kind() {
      return Kind.JUDGING;
    }

    @Override
    public RolloutState with(Trial changed) {
      return new Judging(attribution, changed, judge, accepted);
    }
  }

  /** See {@link Kind#CLOSED}. */
  record Closed() implements RolloutState {
    @Override
    public Kind kind() {
      return Kind.CLOSED;
    }
  }
}
