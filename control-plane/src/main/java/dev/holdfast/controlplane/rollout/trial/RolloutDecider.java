// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import static java.util.Objects.requireNonNull;

import dev.holdfast.base.TimeSource;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
import dev.holdfast.controlplane.rollout.fleet.TrialFleet;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.rollout.hold.Hold;
import dev.holdfast.controlplane.rollout.hold.Probation;
import dev.holdfast.controlplane.rollout.search.Attribution;
import dev.holdfast.controlplane.rollout.search.IncidentRecorder;
import dev.holdfast.controlplane.rollout.selection.Baseline;
import dev.holdfast.controlplane.rollout.selection.Bundle;
import dev.holdfast.controlplane.rollout.selection.DesiredObjects;
import dev.holdfast.controlplane.rollout.selection.Trial;
import dev.holdfast.controlplane.snapshot.Resource;
import java.util.Collections;
import java.util.List;
import java.util.Set;
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
  private final CanarySelector canaries;
  private final FirstContact first;
  private final LostCanaries lost;
  private final Voters voters;
  private final SearchDecider searches;
  private final TrialGate gate;
  private final SortedSet<ObjectKey> convicted = new TreeSet<>();

  /** Held because the gate did not let them through, in this process, and the evidence for that. */
  private final SortedMap<ObjectKey, Evidence> found = new TreeMap<>();

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
      LostCanaries lost,
      TrialGate gate) {
    this.gate = gate;
    this.voters = new Voters(options, fleet, baseline, canaries, first, lost);
    this.searches =
        new SearchDecider(options, fleet, time, baseline, incidents, canaries, first, lost, voters);
    this.options = options;
    this.fleet = fleet;
    this.time = time;
    this.baseline = baseline;
    this.desired = desired;
    this.probation = probation;
    this.canaries = canaries;
    this.first = first;
    this.lost = lost;
  }

  /** The search for this resource was started over. */
  void startedOver(Resource resource) {
    searches.startedOver(resource);
  }

  /** See {@link RolloutMachine#canBeJudgedAnew}. */
  boolean canBeJudgedAnew(Evidence evidence) {
    return voters.canBeJudgedAnew(evidence);
  }

  /** What to do next in a state. */
  RolloutDecision decide(RolloutState state) {
    return switch (state.kind()) {
      case AWAITING_OBJECTS, CLOSED -> RolloutDecision.WAIT;
      case COLD_START, FROZEN -> decideWithoutBaseline(state);
      case IDLE -> decideIdle();
      case TRYING, SEARCHING -> decideTrial(state);
      case SEARCH_WAITING -> searches.next(requireNonNull(state.attribution()));
      case JUDGING -> searches.judged((RolloutState.Judging) state);
    };
  }

  /** The first proxies that answer on everything decide what the baseline is. */
  private RolloutDecision decideWithoutBaseline(RolloutState state) {
    Trial everything = requireNonNull(state.trial());
    TrialGate.Found found = gate.found(desired.bundles(), /* hasBaseline= */ false);
    if (found != null) {
      return new RolloutDecision.HoldFound(found);
    }
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
              everything.triedBy(nodes), (Verdict.Refused) verdict, candidate.node());
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
    TrialGate.Found found = gate.found(pending, /* hasBaseline= */ true);
    if (found != null) {
      return new RolloutDecision.HoldFound(found);
    }
    List<Bundle> bundles = next(pending);
    return bundles.isEmpty() ? RolloutDecision.REST : new RolloutDecision.StartTrial(bundles);
  }

  /** What may be tried now of the pending changes. */
  private List<Bundle> next(List<Bundle> pending) {
    return probation.next(lost.next(gate.next(pending)));
  }

  /** What the gate lets through of the pending changes. */
  List<Bundle> letThrough() {
    return gate.next(desired.bundles());
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
    for (ObjectKey key : found.keySet()) {
      ConfigObject object = desired.get(key);
      if (object == null || gate.isAcquitted(object)) {
        return key;
      }
    }
    return null;
  }

  /** An object is held because the gate does not let it through. */
  void found(ObjectKey key, Evidence evidence) {
    found.put(key, evidence);
  }

  /** Whether a hold is because of the gate alone: no proxy of this rollout was asked. */
  boolean isFound(Hold hold) {
    Evidence evidence = hold.evidence();
    return evidence != null && evidence.equals(found.get(hold.key()));
  }

  /** An object is held because canaries were lost under it, in this process. */
  void convicted(ObjectKey key) {
    convicted.add(key);
  }

  /** The objects that are held because canaries were lost under them. */
  Set<ObjectKey> convicted() {
    return Collections.unmodifiableSet(convicted);
  }

  /** An object that was convicted is so no longer. */
  void notConvicted(ObjectKey key) {
    convicted.remove(key);
    found.remove(key);
  }

  /** Is this ACK enough to commit? It is if everybody who was asked accepted all of the trial. */
  private RolloutDecision decideTrial(RolloutState state) {
    Trial trial = requireNonNull(state.trial());
    boolean overdue = time.nanoTime() - trial.began() >= options.silence().toNanos();
    TrialOutcome outcome = TrialOutcome.of(trial.nodes(), fleet::verdict, overdue);
    return switch (outcome.kind()) {
      case UNDECIDED -> RolloutDecision.WAIT;
      case ACCEPTED -> accepted(trial, state);
      case REFUSED -> {
        TrialOutcome.Refused refused = (TrialOutcome.Refused) outcome;
        yield new RolloutDecision.Attribute(trial, refused.verdict(), refused.node());
      }
      case LOST -> lost(trial, (TrialOutcome.Lost) outcome, fleet);
    };
  }

  private RolloutDecision accepted(Trial trial, RolloutState state) {
    SortedMap<String, String> seconds =
        trial.seconds().isEmpty() ? voters.seconds(trial) : new TreeMap<>();
    if (seconds.isEmpty()) {
      return new RolloutDecision.Commit(trial);
    }
    Attribution attribution = state.attribution();
    return attribution == null || attribution.isPrefixDue()
        ? new RolloutDecision.Confirm(trial, seconds)
        : new RolloutDecision.AdvanceSearch(attribution);
  }

  /** A proxy that was asked did not answer. */
  static RolloutDecision lost(Trial trial, TrialOutcome.Lost outcome, TrialFleet fleet) {
    return !outcome.isSilent()
            && (fleet.isConnected(outcome.node())
                || fleet.wasPassing(outcome.node(), trial.began()))
        ? new RolloutDecision.ReplaceCanary(outcome.node())
        : new RolloutDecision.LoseCanary(trial, outcome);
  }

  /** Whether no change may be tried now. */
  boolean isNothingPending() {
    return next(desired.bundles()).isEmpty();
  }
}
