// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.hold;

import dev.holdfast.base.TimeSource;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.read.OnReject;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.rollout.selection.Baseline;
import dev.holdfast.controlplane.rollout.selection.BundleBuilder;
import dev.holdfast.controlplane.rollout.selection.DesiredObjects;
import dev.holdfast.controlplane.rollout.selection.ObjectReferences;
import dev.holdfast.controlplane.rollout.selection.UnavailableObject;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.translate.Translation;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Puts objects on hold and lets them go. */
public final class HoldManager {
  private final Baseline base;
  private final DesiredObjects wishes;
  private final HoldTable holds;
  private final TimeSource time;
  private final HoldObserver observer;
  private final UnaryOperator<String> sanitise;

  public HoldManager(
      Baseline base,
      DesiredObjects wishes,
      HoldTable holds,
      TimeSource time,
      HoldObserver observer,
      UnaryOperator<String> sanitise) {
    this.base = base;
    this.wishes = wishes;
    this.holds = holds;
    this.time = time;
    this.observer = observer;
    this.sanitise = sanitise;
  }

  /** The holds and the evidence. */
  public HoldTable table() {
    return holds;
  }

  /**
   * An object is to blame. Those that refer to it wait with it, if there is no older one.
   *
   * @param other the one that it does not go together with; null if it is bad by itself
   */
  public Evidence hold(ConfigObject object, Verdict.Refused evidence, @Nullable ObjectKey other) {
    Evidence certificate = certificate(evidence, part(object.key(), evidence.resource()));
    Hold.Reason reason = other == null ? Hold.Reason.REJECTED : Hold.Reason.CONFLICT;
    boolean newest = wishes.isNewest(object); // otherwise they wait for the newest
    hold(object, reason, certificate, other);
    if (newest && base.get(object.key()) == null) {
      holdDependents(object.key(), evidence.resource());
    }
    return certificate;
  }

  /** But for those whose older generation had a part in it: the mistake may be that one's. */
  private void holdDependents(ObjectKey missing, Resource refused) {
    for (ObjectKey key : BundleBuilder.dependents(missing, wishes.untried())) {
      ConfigObject dependent = wishes.get(key);
      boolean mayMend = base.get(key) != null && refused.contributions().get(key) != null;
      if (dependent != null && !mayMend) {
        hold(dependent, Hold.Reason.DEPENDENCY_REJECTED, null, missing);
      }
    }
  }

  /**
   * The part of an object that was refused. Empty if it had none, or brought others along that had
   * none before, such as a policy that waited for it: then the mistake may be theirs, and the same
   * part is good once they are.
   */
  private String part(ObjectKey key, Resource refused) {
    boolean[] alone = {true};
    refused
        .contributions()
        .forEach(
            (other, digest) -> alone[0] &= other.equals(key) || !base.contributes(other, refused));
    String part = refused.contributions().get(key);
    return part == null || !alone[0] ? "" : part;
  }

  /** Holds what was refused before in these very words; false if nothing was. */
  public boolean holdByEvidence(Collection<ConfigObject> objects, Translation translation) {
    boolean found = false;
    for (ConfigObject object : objects) {
      Evidence evidence = holds.against(object.key(), translation);
      if (evidence != null) {
        hold(object, Hold.Reason.REJECTED, evidence, null);
        found = true;
      }
    }
    return found;
  }

  /** Who of these is to blame takes too long to tell. */
  public void suspend(SortedMap<ObjectKey, ConfigObject> objects) {
    for (ConfigObject object : objects.values()) {
      hold(object, Hold.Reason.ATTRIBUTION_PENDING, null, null);
      wishes.pendSlowly(object.key());
    }
  }

  /** Somebody of these is to blame, and there is no way to find out who. */
  public void holdSuspects(SortedMap<ObjectKey, ConfigObject> objects, Verdict.Refused evidence) {
    Hold.Reason reason =
        objects.size() == 1 ? Hold.Reason.REJECTED : Hold.Reason.ATTRIBUTION_PENDING;
    for (ConfigObject object : objects.values()) {
      String part = objects.size() == 1 ? part(object.key(), evidence.resource()) : "";
      hold(object, reason, certificate(evidence, part), null);
      wishes.pend(object.key());
    }
  }

  /** Those are tried anew of whom it could not be told. */
  public void releaseSuspects() {
    for (Hold hold : List.copyOf(holds.all())) {
      if (hold.reason() == Hold.Reason.ATTRIBUTION_PENDING) {
        holds.remove(hold.key());
        observer.released(hold.key());
      }
    }
  }

  private Evidence certificate(Verdict.Refused evidence, String part) {
    return new Evidence(
        evidence.proxyClass(),
        evidence.agent(),
        evidence.resource().id(),
        part,
        sanitise.apply(evidence.message()),
        time.now());
  }

  private void hold(
      ConfigObject object,
      Hold.Reason reason,
      @Nullable Evidence certificate,
      @Nullable ObjectKey cause) {
    if (wishes.isNewest(object)) {
      wishes.done(object.key());
    }
    boolean closed = close(object);
    Hold hold =
        new Hold(
            object.key(),
            object.generation(),
            closed ? 0 : base.generation(object.key()),
            reason,
            certificate,
            cause,
            time.now(),
            closed);
    holds.put(hold, time.nanoTime());
    observer.held(hold);
    observer.affected(object.key());
  }

  /** Serves 503 in the place of an older generation, if that is what the author wants. */
  private boolean close(ConfigObject object) {
    ConfigObject served = base.get(object.key());
    if (served == null
        || OnReject.of(object) != OnReject.RESPOND_503
        || !UnavailableObject.canBe(object)) {
      return false;
    }
    SortedMap<ObjectKey, @Nullable ConfigObject> change = new TreeMap<>();
    change.put(object.key(), UnavailableObject.of(served));
    base.apply(change);
    return true;
  }

  /** Old generations are in the way of what others want, and are served no longer. */
  public void drop(Set<ObjectKey> ghosts) {
    SortedMap<ObjectKey, @Nullable ConfigObject> change = new TreeMap<>();
    for (ObjectKey key : ghosts) {
      change.put(key, null);
      Hold hold = holds.get(key);
      if (hold != null) {
        holds.put(hold.withNothingServed(), time.nanoTime());
      }
      observer.dropped(key);
    }
    base.apply(change);
  }

  /** An object is no more: those who waited for it need not. */
  public void gone(ObjectKey key) {
    Set<ObjectKey> referredTo = targets(Set.of(key));
    holds.forget(key);
    tryAgainWithout(key);
    for (Hold hold : List.copyOf(holds.all())) {
      Evidence evidence = hold.certificate();
      if (evidence != null && evidence.part().isEmpty() && referredTo.contains(hold.key())) {
        pend(hold.key()); // the mistake may have been in the one that is gone
      }
    }
  }

  /** What some objects refer to, as they are served. */
  public Set<ObjectKey> targets(Set<ObjectKey> of) {
    Set<ObjectKey> targets = new HashSet<>();
    if (!holds.all().isEmpty()) {
      for (ObjectKey key : of) {
        ConfigObject object = base.get(key);
        if (object != null) {
          targets.addAll(ObjectReferences.of(object).targets());
        }
      }
    }
    return targets;
  }

  /** An object is as its author wants it, and so may be those that waited for it. */
  public void release(ObjectKey key) {
    if (holds.remove(key) != null) {
      observer.released(key);
    }
    tryAgainWithout(key);
  }

  private void tryAgainWithout(ObjectKey key) {
    tryAgain(hold -> key.equals(hold.cause()));
  }

  /**
   * An object is to be tried, or tried again, and with it those who wait for it: it may be good
   * only with what they have become since.
   */
  public void pend(ObjectKey key) {
    wishes.pend(key);
    tryAgain(hold -> hold.reason() == Hold.Reason.DEPENDENCY_REJECTED && key.equals(hold.cause()));
  }

  private void tryAgain(Predicate<Hold> which) {
    for (Hold hold : List.copyOf(holds.all())) {
      if (which.test(hold)) {
        holds.remove(hold.key());
        wishes.pend(hold.key());
        observer.affected(hold.key());
      }
    }
  }

  /**
   * A part that became another one because of what it has to do with deserves another trial.
   *
   * @param before what those that changed referred to until then
   */
  public void reconsider(Set<ObjectKey> changed, Set<ObjectKey> before) {
    if (holds.all().isEmpty()) {
      return;
    }
    tryAgain(hold -> waitsNoLonger(hold, changed));
    Set<ObjectKey> referredTo = targets(changed);
    referredTo.addAll(before);
    for (Hold hold : List.copyOf(holds.all())) {
      ConfigObject object = wishes.get(hold.key());
      Evidence evidence = hold.certificate();
      if (object != null
          && evidence != null
          && !wishes.isPending(hold.key())
          && (referredTo.contains(hold.key()) || refersTo(changed, object))
          && isAnother(object, evidence)) {
        pend(hold.key());
      }
    }
  }

  /** Whether an object waits for one that it has nothing to do with, now that others changed. */
  private boolean waitsNoLonger(Hold hold, Set<ObjectKey> changed) {
    ConfigObject object = wishes.get(hold.key());
    return hold.reason() == Hold.Reason.DEPENDENCY_REJECTED
        && hold.cause() != null
        && object != null
        && refersTo(changed, object)
        && !refersTo(Set.of(hold.cause()), object);
  }

  /** Whether an object refers to one of some, be it by way of others. */
  private boolean refersTo(Set<ObjectKey> some, ConfigObject object) {
    Set<ObjectKey> seen = new HashSet<>();
    Deque<ConfigObject> open = new ArrayDeque<>(List.of(object));
    for (ConfigObject next = open.poll(); next != null; next = open.poll()) {
      for (ObjectKey target : ObjectReferences.of(next).targets()) {
        if (some.contains(target)) {
          return true;
        }
        ConfigObject served = seen.add(target) ? base.get(target) : null;
        if (served != null) {
          open.add(served);
        }
      }
    }
    return false;
  }

  /** Whether an object would now have another part in what was refused, if it had one at all. */
  private boolean isAnother(ConfigObject object, Evidence evidence) {
    SortedMap<ObjectKey, ConfigObject> alone = new TreeMap<>(Map.of(object.key(), object));
    String part = Baseline.part(base.with(alone), object.key(), evidence.resource());
    return evidence.part().isEmpty() || !evidence.part().equals(part);
  }
}
