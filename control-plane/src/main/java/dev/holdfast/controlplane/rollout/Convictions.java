// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import dev.holdfast.base.TimeSource;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.translate.Translation;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Puts objects on hold and lets them go. */
final class Convictions {
  private final Base base;
  private final Wishes wishes;
  private final Holds holds;
  private final TimeSource time;
  private final RolloutObserver observer;
  private final UnaryOperator<String> sanitise;

  Convictions(
      Base base,
      Wishes wishes,
      Holds holds,
      TimeSource time,
      RolloutObserver observer,
      UnaryOperator<String> sanitise) {
    this.base = base;
    this.wishes = wishes;
    this.holds = holds;
    this.time = time;
    this.observer = observer;
    this.sanitise = sanitise;
  }

  /** An object is to blame. Those that refer to it wait with it, if there is no older one. */
  void convict(ConfigObject object, Verdict.Refused evidence) {
    Certificate certificate =
        new Certificate(
            evidence.proxyClass(),
            evidence.agent(),
            evidence.resource().id(),
            part(object.key(), evidence.resource()),
            sanitise.apply(evidence.message()),
            time.now());
    hold(object, Hold.Reason.REJECTED, certificate, null);
    if (base.get(object.key()) != null) {
      return;
    }
    List<ConfigObject> untried = wishes.untried();
    for (ObjectKey key : Bundles.dependents(object.key(), untried)) {
      ConfigObject dependent = wishes.get(key);
      if (dependent != null) {
        hold(dependent, Hold.Reason.DEPENDENCY_REJECTED, null, object.key());
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
  boolean convictByEvidence(Unit unit, Translation translation) {
    boolean found = false;
    for (ConfigObject object : unit.objects().values()) {
      Certificate evidence = holds.against(object.key(), translation);
      if (evidence != null) {
        hold(object, Hold.Reason.REJECTED, evidence, null);
        found = true;
      }
    }
    return found;
  }

  /** Who of these is to blame takes too long to tell. */
  void suspend(SortedMap<ObjectKey, ConfigObject> objects) {
    for (ConfigObject object : objects.values()) {
      hold(object, Hold.Reason.ATTRIBUTION_PENDING, null, null);
      wishes.pendSlowly(object.key());
    }
  }

  private void hold(
      ConfigObject object,
      Hold.Reason reason,
      @Nullable Certificate certificate,
      @Nullable ObjectKey cause) {
    if (wishes.isNewest(object)) {
      wishes.done(object.key());
    }
    Hold hold =
        new Hold(
            object.key(),
            object.generation(),
            base.generation(object.key()),
            reason,
            certificate,
            cause,
            time.now());
    holds.put(hold, time.nanoTime());
    observer.held(hold);
    observer.affected(object.key());
  }

  /** An object is as its author wants it, and so may be those that waited for it. */
  void release(ObjectKey key) {
    if (holds.remove(key) != null) {
      observer.released(key);
    }
    for (Hold hold : List.copyOf(holds.all())) {
      if (key.equals(hold.cause())) {
        holds.remove(hold.key());
        wishes.pend(hold.key());
        observer.affected(hold.key());
      }
    }
  }

  /** What became another thing because of what has to do with it deserves another trial. */
  void reconsider(Set<ObjectKey> changed) {
    for (Hold hold : holds.all()) {
      ConfigObject object = wishes.get(hold.key());
      Certificate evidence = hold.certificate();
      if (object != null
          && evidence != null
          && !wishes.isPending(hold.key())
          && hasToDoWith(object, changed)
          && isAnother(object, evidence)) {
        wishes.pend(hold.key());
      }
    }
  }

  /** Whether an object refers to one of some, be it by way of others, or one of them to it. */
  private boolean hasToDoWith(ConfigObject object, Set<ObjectKey> changed) {
    for (ObjectKey key : changed) {
      ConfigObject other = base.get(key);
      if (other != null && Links.of(other).contains(object.key())) {
        return true;
      }
    }
    Set<ObjectKey> seen = new HashSet<>();
    Deque<ConfigObject> open = new ArrayDeque<>(List.of(object));
    for (ConfigObject next = open.poll(); next != null; next = open.poll()) {
      for (ObjectKey target : Links.of(next)) {
        if (changed.contains(target)) {
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
  private boolean isAnother(ConfigObject object, Certificate evidence) {
    SortedMap<ObjectKey, ConfigObject> alone = new TreeMap<>(Map.of(object.key(), object));
    String part = Base.part(base.with(alone), object.key(), evidence.resource());
    return evidence.part().isEmpty() || !evidence.part().equals(part);
  }
}
