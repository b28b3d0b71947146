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
  private final TrialFleet stage;
  private final RolloutObserver observer;
  private final Baseline base;
  private final DesiredObjects wishes;
  private final HoldTable holds;
  private final HoldManager convictions;
  private final IncidentRecorder incidents;
  private final ChangeIntake intake;
  private final DesiredTranslation desired;
  private final RolloutMachine trials;

  /**
   * @param sanitise makes what a proxy said fit to be shown
   */
  public Rollout(
      RolloutOptions options,
      Translation empty,
      TrialFleet stage,
      TimeSource time,
      Loop loop,
      RolloutObserver observer,
      UnaryOperator<String> sanitise) {
    this(options, empty, stage, time, loop, observer, sanitise, new IncidentArchive());
  }

  /** The same, with incidents that other rollouts have to do with, too. */
  public Rollout(
      RolloutOptions options,
      Translation empty,
      TrialFleet stage,
      TimeSource time,
      Loop loop,
      RolloutObserver observer,
      UnaryOperator<String> sanitise,
      IncidentArchive all) {
    this.stage = stage;
    this.observer = observer;
    Parts parts = Parts.of(options, empty, stage, time, observer, sanitise, all);
    this.base = parts.base();
    this.wishes = parts.wishes();
    this.holds = parts.holds();
    this.convictions = parts.convictions();
    this.incidents = parts.incidents();
    this.intake = parts.intake();
    this.desired = parts.desired();
    this.trials = new RolloutMachine(parts, loop);
    stage.excuse(this::excuses);
  }

  /** Takes up what an earlier life knew: what was accepted, and the evidence against the rest. */
  public void restore(
      SortedMap<ObjectKey, AcceptedSpec> accepted, Collection<Evidence> certificates) {
    intake.restore(accepted);
    if (!accepted.isEmpty()) {
      trials.takeUp(null);
    }
    certificates.forEach(holds::add);
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
    base.adopt(served);
    trials.takeUp(tried);
    certificates.forEach(holds::add);
  }

  /** Takes evidence of proxies that are, or may yet be, this one's. */
  public void learn(Evidence certificate) {
    holds.add(certificate);
  }

  // Objects.

  /** Whether changes of an object are tried: those of endpoints go out as they come. */
  public static boolean tries(ObjectKey key) {
    return ChangeIntake.tries(key);
  }

  /** Objects changed; null for one that is no more. */
  public void change(SortedMap<ObjectKey, @Nullable ConfigObject> changes) {
    changes.keySet().forEach(observer::affected);
    trials.changed(changes, intake.take(changes));
  }

  /** Tries an object again that is held; false if it is not. */
  public boolean retry(ObjectKey key) {
    if (holds.get(key) == null) {
      return false;
    }
    holds.forgive(key);
    convictions.pend(key);
    trials.check();
    return true;
  }

  /** Proxies may have said something. */
  public void check() {
    trials.check();
  }

  public void close() {
    trials.close();
  }

  // What is known.

  /** What everybody is served. */
  public Translation baseline() {
    return base.translation();
  }

  /** What would be served if everything was accepted. */
  public Translation desired() {
    return desired.get(trials.current());
  }

  /** The generation of an object that is served; 0 if none is. */
  public long served(ObjectKey key) {
    return base.generation(key);
  }

  /** The generation of an object that is served; null if none is. */
  public @Nullable ConfigObject servedObject(ObjectKey key) {
    return base.get(key);
  }

  public @Nullable Hold hold(ObjectKey key) {
    return holds.get(key);
  }

  public Collection<Hold> holds() {
    return holds.all();
  }

  // What the other rollouts have to know.

  public Baseline base() {
    return base;
  }

  public HoldTable evidence() {
    return holds;
  }

  /** What is being shown to canaries; null if nothing is. */
  public @Nullable Trial trial() {
    return trials.current();
  }

  /** The incident that goes on; null if none does. */
  public @Nullable Incident openIncident() {
    return incidents.open();
  }

  /** Whether there is anything that was accepted: before that, all that is wanted is on trial. */
  public boolean hasEverAccepted() {
    return trials.hasEverAccepted();
  }

  /**
   * Whether everybody is shown all there is although some of it was refused, and who is to blame
   * cannot be told: what proxies run of it they go on running.
   */
  public boolean isFrozen() {
    return trials.isFrozen();
  }

  /** Whether there is nothing to try. */
  public boolean isIdle() {
    return trials.isIdle() && wishes.units().isEmpty() && !wishes.hasSlow();
  }

  /**
   * Whether proxies may refuse something without that being held against anybody: a Secret that is
   * served. What it was before is not kept, so after a restart the newest is served untried; and
   * whoever refuses it keeps the last one, which concerns nobody but its owner.
   */
  public boolean excuses(Resource resource) {
    return trials.hasEverAccepted()
        && resource.id().type() == ResourceType.SECRET
        && resource.equals(base.translation().snapshot().get(resource.id()));
  }

  /** Whether what a proxy refused is what everybody is served. */
  public boolean refusesBase(Verdict.Refused refused) {
    return trials.hasEverAccepted()
        && refused.resource().equals(base.translation().snapshot().get(refused.resource().id()));
  }

  /** Tries once more what was refused by proxies that are gone. */
  public void tryWithoutEvidence() {
    for (Hold hold : List.copyOf(holds.all())) {
      Evidence certificate = hold.certificate();
      if (certificate != null
          && !stage.counts(certificate)
          && wishes.get(hold.key()) != null
          && !wishes.isPending(hold.key())) {
        convictions.pend(hold.key());
      }
    }
  }
}
