// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import static java.util.Objects.requireNonNull;

import dev.holdfast.base.TimeSource;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
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
import java.util.ArrayList;
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
  /** Of three that are asked. */
  private static final int MAJORITY = 2;

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

  /** Since when a search is over, and a proxy to confirm it is waited for; null if none is. */
  private @Nullable Long judgeAwaitedSince;

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
      case JUDGING -> decideJudging((RolloutState.Judging) state);
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
      case LOST -> lost(trial, (TrialOutcome.Lost) outcome);
    };
  }

  private RolloutDecision accepted(Trial trial, RolloutState state) {
    SortedMap<String, String> seconds =
        trial.seconds().isEmpty() ? seconds(trial) : new TreeMap<>();
    if (seconds.isEmpty()) {
      return new RolloutDecision.Commit(trial);
    }
    Attribution attribution = state.attribution();
    return attribution == null || attribution.isPrefixDue()
        ? new RolloutDecision.Confirm(trial, seconds)
        : new RolloutDecision.AdvanceSearch(attribution);
  }

  /** Another proxy of each class that tries something, where there is one. */
  private SortedMap<String, String> seconds(Trial trial) {
    SortedMap<String, String> seconds = new TreeMap<>();
    Set<String> last = lost.nodes(trial.bundles());
    trial
        .canaries()
        .forEach(
            (proxyClass, canary) -> {
              String other = another(proxyClass, List.of(canary), last);
              if (other != null) {
                seconds.put(proxyClass, other);
              }
            });
    return seconds;
  }

  /** Another proxy of a class that can be asked: it runs the whole baseline. Null if none is. */
  private @Nullable String another(String proxyClass, List<String> but, Set<String> last) {
    return options.canaries() && baseline.isEstablished() && !first.isGoingOn()
        ? canaries.another(proxyClass, but, last)
        : null;
  }

  /** See {@link RolloutMachine#canBeJudgedAnew}. */
  boolean canBeJudgedAnew(Evidence evidence) {
    List<String> judges = evidence.judges();
    if (judges.isEmpty()) {
      return false;
    }
    if (another(evidence.proxyClass(), judges, Set.of()) != null) {
      return true;
    }
    List<String> refuser = judges.subList(0, 1);
    return judges.size() > 1
        && !fleet.isConnected(refuser.get(0))
        && another(evidence.proxyClass(), refuser, Set.of()) != null;
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
    ConfigObject offender = attribution.isPrefixDue() ? null : attribution.offender();
    if (offender != null && isStale(attribution)) {
      return new RolloutDecision.StartOver(attribution);
    }
    String judge = offender == null ? null : judge(attribution, List.of());
    if (offender != null && judge == null) {
      return isJudgeComing(attribution)
          ? new RolloutDecision.Wait(CanarySelector.WAIT)
          : hold(attribution, List.of(attribution.refuser()), List.of(), true);
    }
    judgeAwaitedSince = null;
    if (incidents.isOverBudget(options.searchTime())) {
      return new RolloutDecision.SuspendSuspects(attribution);
    }
    return judge == null
        ? new RolloutDecision.StartTrial(attribution.search().next())
        : new RolloutDecision.Judge(attribution, judge, List.of());
  }

  /** Whether another proxy of the class is about to run what it is shown, and can be asked then. */
  private boolean isJudgeComing(Attribution attribution) {
    String proxyClass = attribution.rejection().proxyClass();
    if (!baseline.isEstablished()
        || first.isGoingOn()
        || !canaries.isAnotherComing(proxyClass, attribution.refuser())) {
      judgeAwaitedSince = null;
      return false;
    }
    long now = time.nanoTime();
    judgeAwaitedSince = judgeAwaitedSince == null ? now : judgeAwaitedSince;
    return now - judgeAwaitedSince < CanarySelector.WAIT.toNanos();
  }

  /** The next proxy to show the result of a search to; null if there is none. */
  private @Nullable String judge(Attribution attribution, List<String> asked) {
    List<String> but = new ArrayList<>(asked);
    but.add(attribution.refuser());
    return another(attribution.rejection().proxyClass(), but, lost.nodes(attribution.last()));
  }

  /** Two that agree decide. If they are two against nobody else, the incumbent stays. */
  private RolloutDecision decideJudging(RolloutState.Judging state) {
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
              : judged(attribution, state);
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
      case LOST -> lost(trial, (TrialOutcome.Lost) outcome);
    };
  }

  /** The judge accepted what was found. */
  private RolloutDecision judged(Attribution attribution, RolloutState.Judging state) {
    List<String> accepted = new ArrayList<>(state.accepted());
    accepted.add(state.judge());
    if (accepted.size() >= MAJORITY) {
      return new RolloutDecision.Overrule(attribution);
    }
    String next = judge(attribution, accepted);
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

  /** Whether no change may be tried now. */
  boolean isNothingPending() {
    return next(desired.bundles()).isEmpty();
  }
}
