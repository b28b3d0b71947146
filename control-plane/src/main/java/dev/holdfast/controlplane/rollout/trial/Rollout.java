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
import dev.holdfast.controlplane.rollout.selection.Trial;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.translate.Translation;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Decides what is shown to whom. Loop only.
 *
 * <p>The base is what every class has accepted. What is wanted and not in it goes through {@link
 * Trials}.
 *
 * <p>Endpoints and deletions need no trial. Before anything was ever accepted there is no base to
 * keep anybody on: then the first proxies are shown all there is.
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
    this(options, empty, fleet, time, loop, observer, sanitise, new IncidentArchive());
  }

  /** The same, with an archive of incidents that is shared with other rollouts. */
  public Rollout(
      RolloutOptions options,
      Translation empty,
      TrialFleet fleet,
      TimeSource time,
      Loop loop,
      RolloutObserver observer,
      UnaryOperator<String> sanitise,
      IncidentArchive archive) {
    this.fleet = fleet;
    this.observer = observer;
    this.holdTable = new HoldTable(fleet::counts);
    this.baseline = new Baseline(empty, observer::affected);
    this.desired = new DesiredObjects(baseline::get);
    this.holds = new HoldManager(baseline, desired, holdTable, time, observer, sanitise);
    this.incidents = new IncidentRecorder(archive, time, observer::incident);
    this.intake = new ChangeIntake(baseline, desired, holds);
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
            intake);
    fleet.excuse(this::excuses);
  }

  /** Takes up what an earlier life knew: what was accepted, and the evidence against the rest. */
  public void restore(
      SortedMap<ObjectKey, AcceptedSpec> accepted, Collection<Evidence> certificates) {
    intake.restore(accepted);
    if (!accepted.isEmpty()) {
      machine.resume(null);
    }
    certificates.forEach(holdTable::add);
  }

  /**
   * Begins where another one stands.
   *
   * @param served the objects that the translation is of that this one was made with
   * @param tried what the other one was just showing to proxies that are this one's now; null if
   *     nothing
   */
  public void adopt(
      Collection<ConfigObject> served, Collection<Evidence> certificates, @Nullable Trial tried) {
    baseline.adopt(served);
    machine.resume(tried);
    certificates.forEach(holdTable::add);
  }

  /** Takes evidence of proxies that are, or may yet be, this one's. */
  public void learn(Evidence certificate) {
    holdTable.add(certificate);
  }

  // Objects.

  /** Whether changes of an object are tried: those of endpoints go out as they come. */
  public static boolean tries(ObjectKey key) {
    return ChangeIntake.tries(key);
  }

  /** Objects changed; null for one that is no more. */
  public void change(SortedMap<ObjectKey, @Nullable ConfigObject> changes) {
    changes.keySet().forEach(observer::affected);
    machine.objectsChanged(changes, intake.take(changes));
  }

  /** Tries an object again that is held; false if it is not. */
  public boolean retry(ObjectKey key) {
    if (holdTable.get(key) == null) {
      return false;
    }
    holdTable.forgive(key);
    holds.pend(key);
    machine.handle(RolloutEvent.FLEET_CHANGED);
    return true;
  }

  /** Proxies may have said something. */
  public void check() {
    machine.handle(RolloutEvent.FLEET_CHANGED);
  }

  public void close() {
    machine.handle(RolloutEvent.CLOSED);
  }

  // What is known.

  /** What everybody is served. */
  public Translation baseline() {
    return baseline.translation();
  }

  /** What would be served if everything was accepted. */
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

  // What the other rollouts have to know.

  public Baseline selection() {
    return baseline;
  }

  public HoldTable evidence() {
    return holdTable;
  }

  /** What is being shown to canaries; null if nothing is. */
  public @Nullable Trial trial() {
    return machine.state().trial();
  }

  /** The incident that goes on; null if none does. */
  public @Nullable Incident openIncident() {
    return incidents.open();
  }

  /** Whether there is anything that was accepted: before that, all that is wanted is on trial. */
  public boolean hasBaseline() {
    return baseline.isEstablished();
  }

  /**
   * Whether everybody is shown all there is although some of it was refused, and who is to blame
   * cannot be told: what proxies run of it they go on running.
   */
  public boolean isFrozen() {
    return machine.state().kind() == RolloutState.Kind.FROZEN;
  }

  /** Whether there is nothing to try. */
  public boolean isIdle() {
    RolloutState state = machine.state();
    return state.trial() == null
        && state.attribution() == null
        && desired.bundles().isEmpty()
        && !desired.hasSlow();
  }

  /**
   * Whether proxies may refuse something without that being held against anybody: a Secret that is
   * served. What it was before is not kept, so after a restart the newest is served untried; and
   * whoever refuses it keeps the last one, which concerns nobody but its owner.
   */
  public boolean excuses(Resource resource) {
    return baseline.isEstablished()
        && resource.id().type() == ResourceType.SECRET
        && resource.equals(baseline.translation().snapshot().get(resource.id()));
  }

  /** Whether what a proxy refused is what everybody is served. */
  public boolean refusesBase(Verdict.Refused refused) {
    return baseline.isEstablished()
        && refused
            .resource()
            .equals(baseline.translation().snapshot().get(refused.resource().id()));
  }

  /** Tries once more what was refused by proxies that are gone. */
  public void tryWithoutEvidence() {
    for (Hold hold : List.copyOf(holdTable.all())) {
      Evidence certificate = hold.certificate();
      if (certificate != null
          && !fleet.counts(certificate)
          && desired.get(hold.key()) != null
          && !desired.isPending(hold.key())) {
        holds.pend(hold.key());
      }
    }
  }
}
