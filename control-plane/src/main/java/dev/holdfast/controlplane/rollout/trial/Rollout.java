// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import dev.holdfast.base.Loop;
import dev.holdfast.base.TimeSource;
import dev.holdfast.config.AcceptedSpec;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
import dev.holdfast.controlplane.rollout.fleet.TrialFleet;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.rollout.hold.Hold;
import dev.holdfast.controlplane.rollout.hold.HoldManager;
import dev.holdfast.controlplane.rollout.hold.HoldTable;
import dev.holdfast.controlplane.rollout.search.Incident;
import dev.holdfast.controlplane.rollout.search.IncidentArchive;
import dev.holdfast.controlplane.rollout.search.IncidentRecorder;
import dev.holdfast.controlplane.rollout.selection.Baseline;
import dev.holdfast.controlplane.rollout.selection.DesiredObjects;
import dev.holdfast.controlplane.rollout.selection.ReplacedObjects;
import dev.holdfast.controlplane.rollout.selection.Trial;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.translate.TranslatedObject;
import dev.holdfast.controlplane.translate.Translation;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One rollout: the baseline that its proxies are served, the changes that canaries try, and the
 * objects that are held. Loop only.
 *
 * <p>{@link RolloutMachine} decides what is shown to which proxy. Endpoints and deletions need no
 * trial. Before there is a baseline, the first proxies are shown every desired object.
 */
public final class Rollout {
  private final TrialFleet fleet;
  private final RolloutObserver observer;
  private final Baseline baseline;
  private final DesiredObjects desired;
  private final HoldTable holdTable;
  private final HoldManager holds;
  private final IncidentRecorder incidents;
  private final ChangeIntake intake;
  private final DesiredTranslation desiredTranslation;
  private final RolloutMachine machine;
  private final CanaryLosses losses;
  private final ReplacedObjects replaced = new ReplacedObjects();

  /**
   * @param empty the translation of no objects
   * @param sanitise removes from a proxy's error text what must not be shown
   */
  public Rollout(
      RolloutOptions options,
      Translation empty,
      TrialFleet fleet,
      TimeSource time,
      Loop loop,
      RolloutObserver observer,
      UnaryOperator<String> sanitise) {
    this(
        options,
        empty,
        fleet,
        time,
        loop,
        observer,
        sanitise,
        new IncidentArchive(),
        CanaryLosses.notStored(time));
  }

  /** The same, with archives of incidents and losses that are shared with other rollouts. */
  public Rollout(
      RolloutOptions options,
      Translation empty,
      TrialFleet fleet,
      TimeSource time,
      Loop loop,
      RolloutObserver observer,
      UnaryOperator<String> sanitise,
      IncidentArchive archive,
      CanaryLosses losses) {
    this(options, empty, fleet, time, loop, observer, sanitise, archive, losses, TrialGate.OPEN);
  }

  /** The same, behind a gate. */
  public Rollout(
      RolloutOptions options,
      Translation empty,
      TrialFleet fleet,
      TimeSource time,
      Loop loop,
      RolloutObserver observer,
      UnaryOperator<String> sanitise,
      IncidentArchive archive,
      CanaryLosses losses,
      TrialGate gate) {
    this.fleet = fleet;
    this.losses = losses;
    this.observer = observer;
    this.holdTable = new HoldTable(this::counts);
    this.baseline = new Baseline(empty, observer::affected);
    this.desired = new DesiredObjects(baseline::get);
    this.holds = new HoldManager(baseline, desired, holdTable, time, observer, sanitise);
    this.incidents = new IncidentRecorder(archive, time, observer::incident);
    this.intake =
        new ChangeIntake(baseline, desired, holds, options.probe(), observer::internalError);
    this.desiredTranslation = new DesiredTranslation(baseline, desired, holdTable);
    this.machine =
        new RolloutMachine(
            options,
            fleet,
            time,
            loop,
            observer,
            sanitise,
            baseline,
            desired,
            desiredTranslation,
            holds,
            incidents,
            intake,
            losses,
            replaced,
            gate);
    fleet.excuse(this::excuses);
  }

  /** Restores what an earlier process stored: accepted generations, and evidence. */
  public void restore(SortedMap<ObjectKey, AcceptedSpec> accepted, Collection<Evidence> evidence) {
    intake.restore(accepted);
    if (accepted.keySet().stream().anyMatch(Rollout::tries)) { // endpoints alone are no baseline
      machine.resume(null);
    }
    evidence.forEach(holdTable::add);
  }

  /**
   * Starts from the baseline of another rollout.
   *
   * @param served the objects of the translation that this rollout was made with
   * @param tried the trial that the other rollout was showing to proxies of this one; null if none
   */
  public void adopt(
      Collection<ConfigObject> served, Collection<Evidence> evidence, @Nullable Trial tried) {
    baseline.adopt(served);
    machine.resume(tried);
    evidence.forEach(holdTable::add);
  }

  /** Adds evidence from proxies that belong to this rollout, or may do so later. */
  public void addEvidence(Evidence evidence) {
    holdTable.add(evidence);
  }

  /** Forgets evidence that no longer counts. */
  public void forgetEvidence(Evidence evidence) {
    holdTable.forget(evidence);
  }

  // Objects.

  /** Whether changes of an object are tried. Endpoints are not: they apply at once. */
  public static boolean tries(ObjectKey key) {
    return ChangeIntake.tries(key);
  }

  /** Objects changed; null for one that was deleted. */
  public void change(SortedMap<ObjectKey, @Nullable ConfigObject> changes) {
    changes.keySet().forEach(observer::affected);
    machine.objectsChanged(changes, intake.take(changes));
  }

  /** Retries an object that is held; false if it is not. */
  public boolean retry(ObjectKey key) {
    if (holdTable.get(key) == null) {
      return false;
    }
    holdTable.forgetEvidence(key).forEach(observer::evidenceForgotten);
    losses.forget(key);
    holds.retry(key);
    machine.handle(RolloutEvent.FLEET_CHANGED);
    return true;
  }

  /**
   * Restores what a commit of an earlier process replaced, before the source reports the objects.
   *
   * @param generation the one that was committed
   */
  public void restoreReplaced(ObjectKey key, long generation, @Nullable ConfigObject before) {
    replaced.restore(key, generation, before);
  }

  /** Whether there are commits of which it is not known that most proxies run them. */
  public boolean hasUnsettled() {
    return !replaced.isEmpty();
  }

  /** Most proxies of each class run everything that they are served. */
  public void settled() {
    observer.settled(replaced.clear());
  }

  /**
   * Most proxies of a class refuse a resource of the baseline: takes what the latest commit that
   * brought something to it replaced; empty if that is not known any more.
   *
   * @param runs whether one of those proxies runs an object
   */
  public SortedMap<ObjectKey, @Nullable ConfigObject> takeReplaced(
      Resource refused, Predicate<TranslatedObject> runs) {
    return replaced.take(
        refused,
        baseline,
        key -> {
          TranslatedObject object = baseline.translation().objects().get(key);
          return object != null && runs.test(object);
        });
  }

  /** Gives proxies back what a commit replaced; what it brought is tried again. */
  public void undo(SortedMap<ObjectKey, @Nullable ConfigObject> before, Verdict.Refused refused) {
    before.forEach(
        (key, object) -> {
          if (object == null) {
            observer.dropped(key);
          }
          desired.markPending(key);
          observer.affected(key);
        });
    observer.committed(before.values().stream().filter(Objects::nonNull).toList());
    observer.settled(before.keySet());
    observer.undone(before.keySet(), refused);
    machine.undo(before);
  }

  /** Proxies may have answered. */
  public void check() {
    machine.handle(RolloutEvent.FLEET_CHANGED);
  }

  /** A proxy left. */
  public void left(String node, String proxyClass) {
    machine.left(node, proxyClass);
  }

  /**
   * When a proxy was last lost under this generation of an object, on the clock of {@code
   * System.nanoTime}; null if none was, or none that counts.
   */
  public @Nullable Long lastLoss(ConfigObject object) {
    return machine.lastLoss(object);
  }

  /** Whether an object is held because its gate found it, and not by proxies of this rollout. */
  public boolean isFoundByGate(Hold hold) {
    return machine.isFound(hold);
  }

  /** Whether an object is yet to be tried, be it for the first time or again. */
  public boolean isPending(ObjectKey key) {
    return desired.isPending(key);
  }

  /**
   * Takes back what this rollout alone has accepted. It is tried again, and so is what did not
   * validate beside it.
   */
  public void takeBack(SortedMap<ObjectKey, @Nullable ConfigObject> before) {
    before.keySet().forEach(desired::markPending);
    machine.undo(before);
    holds.retryInvalid(); // what is known to be refused is out of the way by now
    check();
  }

  RolloutMachine machine() {
    return machine;
  }

  public void close() {
    machine.handle(RolloutEvent.CLOSED);
  }

  // Queries.

  /** The resources that all proxies of this rollout are served. */
  public Translation baseline() {
    return baseline.translation();
  }

  /** The resources that would be served if every desired object was accepted. */
  public Translation desired() {
    return desiredTranslation.get(machine.state().trial());
  }

  /** The generation of an object that is served; 0 if none is. */
  public long served(ObjectKey key) {
    return baseline.generation(key);
  }

  /** The generation of an object that is served; null if none is. */
  public @Nullable ConfigObject servedObject(ObjectKey key) {
    return baseline.get(key);
  }

  public @Nullable Hold hold(ObjectKey key) {
    return holdTable.get(key);
  }

  public Collection<Hold> holds() {
    return holdTable.all();
  }

  // For the other rollouts.

  public Baseline selection() {
    return baseline;
  }

  public HoldTable holdTable() {
    return holdTable;
  }

  /** The trial that canaries are shown; null if none is. */
  public @Nullable Trial trial() {
    return machine.state().trial();
  }

  /** The incident under way; null if there is none. */
  public @Nullable Incident openIncident() {
    return incidents.open();
  }

  /** Whether proxies have accepted a baseline. Before that, every desired object is on trial. */
  public boolean hasBaseline() {
    return baseline.isEstablished();
  }

  /**
   * Whether all proxies are shown every desired object although a proxy refused some of it, because
   * the cause cannot be found without taking away what they run.
   */
  public boolean isFrozen() {
    return machine.state().kind() == RolloutState.Kind.FROZEN;
  }

  /** Whether no change is pending, tried or searched. */
  public boolean isIdle() {
    RolloutState state = machine.state();
    return state.trial() == null
        && state.attribution() == null
        && desired.bundles().isEmpty()
        && !desired.hasAlone();
  }

  /**
   * Whether a refused resource does not count as a rejection: a Secret of the baseline. Its earlier
   * content is never stored, so after a restart the newest is served untried. A proxy that refuses
   * it keeps the last one, which affects only the owner of the Secret.
   */
  public boolean excuses(Resource resource) {
    return baseline.isEstablished()
        && resource.id().type() == ResourceType.SECRET
        && resource.equals(baseline.translation().snapshot().get(resource.id()));
  }

  /** Whether the refused resource belongs to the baseline. */
  public boolean refusesBaseline(Verdict.Refused refused) {
    return baseline.isEstablished()
        && refused
            .resource()
            .equals(baseline.translation().snapshot().get(refused.resource().id()));
  }

  /** Whether evidence counts: its class is not gone, and there is nobody else to ask. */
  private boolean counts(Evidence evidence) {
    return fleet.counts(evidence) && !machine.canBeJudgedAnew(evidence);
  }

  /**
   * Retries objects whose evidence no longer counts, because its class is gone or there are more
   * proxies to ask.
   */
  public void retryOutdatedHolds() {
    for (Hold hold : List.copyOf(holdTable.all())) {
      Evidence evidence = hold.evidence();
      if (evidence != null
          && !holdTable.counts(evidence)
          && desired.get(hold.key()) != null
          && !desired.isPending(hold.key())) {
        holds.retry(hold.key());
      }
    }
  }
}
