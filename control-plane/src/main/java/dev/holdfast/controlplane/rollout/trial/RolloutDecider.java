// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import static java.util.Objects.requireNonNull;

import dev.holdfast.base.TimeSource;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.fleet.TrialFleet;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.rollout.hold.Probation;
import dev.holdfast.controlplane.rollout.search.Attribution;
import dev.holdfast.controlplane.rollout.search.IncidentRecorder;
import dev.holdfast.controlplane.rollout.selection.Baseline;
import dev.holdfast.controlplane.rollout.selection.Bundle;
import dev.holdfast.controlplane.rollout.selection.DesiredObjects;
import dev.holdfast.controlplane.rollout.selection.Trial;
import dev.holdfast.controlplane.snapshot.Resource;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a rollout does next, from its state and from what the proxies answered. It has no
 * effects: {@link RolloutActions} has them.
 */
final class RolloutDecider {
  private final RolloutOptions options;
  private final TrialFleet fleet;
  private final TimeSource time;
  private final Baseline baseline;
  private final DesiredObjects desired;
  private final Probation probation;
  private final IncidentRecorder incidents;
  private final CanarySelector canaries;
  private final FirstContact first;
  private final LostCanaries lost;
  private final SortedSet<ObjectKey> convicted = new TreeSet<>();

  /** The resource whose search was started over, which is done only once; null if none was. */
  private @Nullable Resource startedOver;

  RolloutDecider(
      RolloutOptions options,
      TrialFleet fleet,
      TimeSource time,
      Baseline baseline,
      DesiredObjects desired,
      Probation probation,
      IncidentRecorder incidents,
      CanarySelector canaries,
      FirstContact first,
      LostCanaries lost) {
    this.options = options;
    this.fleet = fleet;
    this.time = time;
    this.baseline = baseline;
    this.desired = desired;
    this.probation = probation;
    this.incidents = incidents;
    this.canaries = canaries;
    this.first = first;
    this.lost = lost;
  }

  /** The search for this resource was started over. */
  void startedOver(Resource resource) {
    startedOver = resource;
  }

  /** What to do next in a state. */
  RolloutDecision decide(RolloutState state) {
    return switch (state.kind()) {
      case AWAITING_OBJECTS, CLOSED -> RolloutDecision.WAIT;
      case COLD_START, FROZEN -> decideWithoutBaseline(state);
      case IDLE -> decideIdle();
      case TRYING, SEARCHING -> decideTrial(state);
      case SEARCH_WAITING -> decideSearch(state);
    };
  }

  /** The first proxies that answer on everything decide what the baseline is. */
  private RolloutDecision decideWithoutBaseline(RolloutState state) {
    Trial everything = requireNonNull(state.trial());
    boolean isDeadly =
        state.kind() == RolloutState.Kind.COLD_START
            && !lost.withoutDeadly(everything.bundles()).equals(everything.bundles())
            && !canaries.anyAdopted();
    if (!first.isOf(desired.edition()) || isDeadly) {
      return RolloutDecision.SHOW_EVERYTHING;
    }
    boolean accepted = false;
    for (TrialFleet.Candidate candidate : canaries.voters()) {
      Verdict verdict = first.verdict(candidate.node());
      switch (verdict.kind()) {
        case REFUSED -> {
          SortedMap<String, String> nodes = new TreeMap<>();
          nodes.put(candidate.proxyClass(), candidate.node());
          canaries.voters().forEach(v -> nodes.putIfAbsent(v.proxyClass(), v.node()));
          return new RolloutDecision.Attribute(
              everything.triedBy(nodes), (Verdict.Refused) verdict);
        }
        case ACCEPTED -> accepted = true;
        case OPEN, GONE -> {}
      }
    }
    if (!accepted || state.kind() == RolloutState.Kind.FROZEN) {
      return RolloutDecision.WAIT;
    }
    return canaries.isAnyClassOpen() // a class has only just come, and has not answered yet
        ? new RolloutDecision.Wait(CanarySelector.WAIT)
        : new RolloutDecision.Commit(everything);
  }

  private RolloutDecision decideIdle() {
    if (!baseline.isEstablished()) {
      return RolloutDecision.SHOW_EVERYTHING;
    }
    ObjectKey acquitted = acquitted();
    if (acquitted != null) {
      return new RolloutDecision.Acquit(acquitted);
    }
    List<Bundle> pending = desired.bundles();
    LostCanaries.Conviction conviction = lost.convicted(pending);
    if (conviction != null) {
      return new RolloutDecision.Convict(conviction);
    }
    List<Bundle> bundles = next(pending);
    return bundles.isEmpty() ? RolloutDecision.REST : new RolloutDecision.StartTrial(bundles);
  }

  /** What may be tried now of the pending changes. */
  private List<Bundle> next(List<Bundle> pending) {
    return probation.next(lost.next(pending));
  }

  /** A held object whose canaries live after all; null if there is none. */
  private @Nullable ObjectKey acquitted() {
    lost.excuse();
    for (ObjectKey key : convicted) {
      ConfigObject object = desired.get(key);
      if (object == null || lost.isAcquitted(object)) {
        return key;
      }
    }
    return null;
  }

  /** An object is held because canaries were lost under it, in this process. */
  void convicted(ObjectKey key) {
    convicted.add(key);
  }

  /** An object that was convicted is so no longer. */
  void notConvicted(ObjectKey key) {
    convicted.remove(key);
  }

  /** Is this ACK enough to commit? It is if every canary of the trial has accepted all of it. */
  private RolloutDecision decideTrial(RolloutState state) {
    Trial trial = requireNonNull(state.trial());
    boolean overdue = time.nanoTime() - trial.began() >= options.silence().toNanos();
    TrialOutcome outcome = TrialOutcome.of(trial.nodes(), fleet::verdict, overdue);
    return switch (outcome.kind()) {
      case UNDECIDED -> RolloutDecision.WAIT;
      case ACCEPTED -> new RolloutDecision.Commit(trial);
      case REFUSED ->
          new RolloutDecision.Attribute(trial, ((TrialOutcome.Refused) outcome).verdict());
      case LOST -> lost(trial, (TrialOutcome.Lost) outcome);
    };
  }

  private RolloutDecision lost(Trial trial, TrialOutcome.Lost outcome) {
    return !outcome.isSilent() && fleet.isConnected(outcome.node())
        ? new RolloutDecision.ReplaceCanary(outcome.node())
        : new RolloutDecision.LoseCanary(trial, outcome);
  }

  private RolloutDecision decideSearch(RolloutState state) {
    Attribution attribution = requireNonNull(state.attribution());
    if (first.mustNotTakeAway() && !mayTakeAway(attribution)) {
      return searchElsewhere(attribution);
    }
    ConfigObject offender = attribution.offender();
    if (offender != null) {
      return isStale(attribution)
          ? new RolloutDecision.StartOver(attribution)
          : new RolloutDecision.HoldOffender(offender, attribution);
    }
    return incidents.isOverBudget(options.searchTime())
        ? new RolloutDecision.SuspendSuspects(attribution)
        : new RolloutDecision.StartTrial(attribution.search().next());
  }

  /**
   * Whether a search is worth what it takes away. A resource that one object alone contributes to
   * stays as proxies have it: there is nothing to find out, and no other object to set free.
   */
  private boolean mayTakeAway(Attribution attribution) {
    return attribution.suspects().size() > 1
        && (attribution.isHinted() || canaries.areCold(attribution.searchers().values()));
  }

  /**
   * The searchers run content that this server does not know. A proxy of the same class that runs
   * nothing yet may search instead; one of another class may well accept what this one refused.
   */
  private RolloutDecision searchElsewhere(Attribution attribution) {
    String refusing = attribution.rejection().proxyClass();
    if (attribution.suspects().size() > 1) {
      SortedMap<String, String> cold = canaries.chooseCold(refusing::equals);
      if (!cold.isEmpty()) {
        return new RolloutDecision.MoveSearch(attribution, cold);
      }
      if (!canaries.chooseCold(other -> !other.equals(refusing)).isEmpty()) {
        return new RolloutDecision.LeaveOutClass(refusing);
      }
    }
    return new RolloutDecision.Freeze(attribution);
  }

  private boolean isStale(Attribution attribution) {
    return !attribution.rejection().resource().equals(startedOver) && attribution.isStale(baseline);
  }

  /** Whether no change may be tried now. */
  boolean isNothingPending() {
    return next(desired.bundles()).isEmpty();
  }
}
