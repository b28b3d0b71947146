// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import static java.util.Objects.requireNonNull;

import dev.holdfast.base.TimeSource;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.controlplane.rollout.fleet.TrialFleet;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.rollout.search.Attribution;
import dev.holdfast.controlplane.rollout.search.IncidentRecorder;
import dev.holdfast.controlplane.rollout.selection.Baseline;
import dev.holdfast.controlplane.rollout.selection.Trial;
import dev.holdfast.controlplane.snapshot.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides how the search for the cause of a rejection goes on, and whether other proxies agree with
 * its result. It has no effects.
 */
final class SearchDecider {
  /** Of three that are asked. */
  private static final int MAJORITY = 2;

  private final RolloutOptions options;
  private final TrialFleet fleet;
  private final TimeSource time;
  private final Baseline baseline;
  private final IncidentRecorder incidents;
  private final CanarySelector canaries;
  private final FirstContact first;
  private final LostCanaries lost;
  private final Voters voters;

  /** Since when a search is over, and a proxy to confirm it is waited for; null if none is. */
  private @Nullable Awaited awaited;

  /** The resource whose search was started over, which is done only once; null if none was. */
  private @Nullable Resource startedOver;

  SearchDecider(
      RolloutOptions options,
      TrialFleet fleet,
      TimeSource time,
      Baseline baseline,
      IncidentRecorder incidents,
      CanarySelector canaries,
      FirstContact first,
      LostCanaries lost,
      Voters voters) {
    this.options = options;
    this.fleet = fleet;
    this.time = time;
    this.baseline = baseline;
    this.incidents = incidents;
    this.canaries = canaries;
    this.first = first;
    this.lost = lost;
    this.voters = voters;
  }

  /** The search for this resource was started over. */
  void startedOver(Resource resource) {
    startedOver = resource;
  }

  /** What to do next with a search. */
  RolloutDecision next(Attribution attribution) {
    if (first.mustNotTakeAway() && !mayTakeAway(attribution)) {
      return searchElsewhere(attribution);
    }
    ConfigObject offender = attribution.isPrefixDue() ? null : attribution.offender();
    if (offender != null && isStale(attribution)) {
      return new RolloutDecision.StartOver(attribution);
    }
    String judge = offender == null ? null : judge(attribution, List.of());
    if (offender != null && judge == null) {
      return isJudgeComing(attribution, List.of())
          ? new RolloutDecision.Wait(CanarySelector.WAIT)
          : hold(attribution, List.of(attribution.refuser()), List.of(), true);
    }
    awaited = null;
    if (incidents.isOverBudget(options.searchTime())) {
      return new RolloutDecision.SuspendSuspects(attribution);
    }
    return judge == null
        ? new RolloutDecision.StartTrial(attribution.search().next())
        : new RolloutDecision.Judge(attribution, judge, List.of());
  }

  /**
   * Whether another proxy of the class is about to run what it is shown, and can be asked then.
   *
   * @param asked who was asked already
   */
  private boolean isJudgeComing(Attribution attribution, List<String> asked) {
    String proxyClass = attribution.rejection().proxyClass();
    List<String> but = new ArrayList<>(asked);
    but.add(attribution.refuser());
    if (!baseline.isEstablished()
        || first.isGoingOn()
        || !canaries.isAnotherComing(proxyClass, but)) {
      awaited = null;
      return false;
    }
    Awaited before = awaited;
    long now = time.nanoTime();
    Awaited current = new Awaited(attribution.rejection(), asked.size(), now);
    if (before == null || !before.isFor(current)) {
      awaited = current;
      return true;
    }
    return now - before.since < CanarySelector.WAIT.toNanos();
  }

  /**
   * A proxy that is waited for.
   *
   * @param asked how many were asked before
   */
  private record Awaited(Verdict.Refused rejection, int asked, long since) {
    boolean isFor(Awaited other) {
      return rejection.equals(other.rejection) && asked == other.asked;
    }
  }

  /** The next proxy to show the result of a search to; null if there is none. */
  private @Nullable String judge(Attribution attribution, List<String> asked) {
    List<String> but = new ArrayList<>(asked);
    but.add(attribution.refuser());
    return voters.another(
        attribution.rejection().proxyClass(), but, lost.nodes(attribution.last()));
  }

  /** Two that agree decide. If they are two against nobody else, the incumbent stays. */
  RolloutDecision judged(RolloutState.Judging state) {
    Attribution attribution = state.attribution();
    Trial trial = state.trial();
    Verdict refuser = fleet.verdict(attribution.refuser());
    if (refuser.kind() == Verdict.Kind.GONE) {
      return new RolloutDecision.ReplaceCanary(attribution.refuser());
    }
    boolean isTakenBack = refuser.kind() == Verdict.Kind.ACCEPTED;
    boolean overdue = time.nanoTime() - trial.began() >= options.silence().toNanos();
    List<String> asked =
        refuser.kind() == Verdict.Kind.OPEN
            ? List.of(attribution.refuser(), state.judge())
            : List.of(state.judge());
    TrialOutcome outcome = TrialOutcome.of(asked, fleet::verdict, overdue);
    return switch (outcome.kind()) {
      case UNDECIDED -> RolloutDecision.WAIT;
      case ACCEPTED ->
          isTakenBack
              ? new RolloutDecision.StartTrial(trial.bundles()) // it is good without the others
              : accepted(attribution, state);
      case REFUSED ->
          isTakenBack
              ? new RolloutDecision.Attribute(
                  trial, ((TrialOutcome.Refused) outcome).verdict(), state.judge())
              : hold(
                  attribution,
                  List.of(),
                  state.accepted(),
                  ((TrialOutcome.Refused) outcome)
                      .verdict()
                      .resource()
                      .id()
                      .equals(attribution.rejection().resource().id()));
      case LOST -> RolloutDecider.lost(trial, (TrialOutcome.Lost) outcome, fleet);
    };
  }

  /** The judge accepted what was found. */
  private RolloutDecision accepted(Attribution attribution, RolloutState.Judging state) {
    List<String> accepted = new ArrayList<>(state.accepted());
    accepted.add(state.judge());
    if (accepted.size() >= MAJORITY) {
      return new RolloutDecision.Overrule(attribution);
    }
    String next = judge(attribution, accepted);
    if (next == null && isJudgeComing(attribution, accepted)) {
      return new RolloutDecision.Wait(CanarySelector.WAIT);
    }
    return next == null
        ? hold(attribution, List.of(attribution.refuser(), state.judge()), List.of(), false)
        : new RolloutDecision.Judge(attribution, next, accepted);
  }

  private static RolloutDecision hold(
      Attribution attribution, List<String> judges, List<String> accepted, boolean isForOneReason) {
    return new RolloutDecision.HoldOffender(
        requireNonNull(attribution.offender()), attribution, judges, accepted, isForOneReason);
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
}
