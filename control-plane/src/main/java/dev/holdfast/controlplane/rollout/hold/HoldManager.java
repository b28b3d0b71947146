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
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.translate.TranslatedObject;
import dev.holdfast.controlplane.translate.Translation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Holds objects and releases them. */
public final class HoldManager {
  private final Baseline base;
  private final DesiredObjects desired;
  private final HoldTable holds;
  private final TimeSource time;
  private final HoldObserver observer;
  private final UnaryOperator<String> sanitise;

  /** Held objects that need no trial, whose last good generation is not recorded yet. */
  private final SortedSet<ObjectKey> untried = new TreeSet<>();

  public HoldManager(
      Baseline base,
      DesiredObjects desired,
      HoldTable holds,
      TimeSource time,
      HoldObserver observer,
      UnaryOperator<String> sanitise) {
    this.base = base;
    this.desired = desired;
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
   * Holds the object that caused a rejection, and the objects that refer to it if it has no older
   * generation.
   *
   * @param other the object that it conflicts with; null if it is bad by itself
   * @param judges the proxies that were asked, if they were too few to be sure
   * @param isProof whether those that were asked refuse the same resource: otherwise it is not
   *     known which of their reasons is good, and another generation may have neither
   */
  public Evidence hold(
      ConfigObject object,
      Verdict.Refused rejection,
      @Nullable ObjectKey other,
      List<String> judges,
      boolean isProof) {
    String part = isProof ? part(object.key(), rejection.resource()) : "";
    Evidence evidence = evidence(rejection, part, judges);
    Hold.Reason reason = other == null ? reasonOf(evidence) : Hold.Reason.CONFLICT;
    boolean newest = desired.isNewest(object); // otherwise dependents wait for the newest
    boolean isRetried = holds.isHeld(object);
    hold(object, reason, evidence, other, List.of());
    if (newest && base.get(object.key()) == null) {
      holdDependents(object.key(), rejection.resource());
      holdTarget(object, isRetried);
    }
    return evidence;
  }

  /** Holds an object because of evidence that proxies of another rollout gave. */
  public void holdFound(ConfigObject object, Evidence evidence) {
    boolean isRetried = holds.isHeld(object);
    hold(object, reasonOf(evidence), evidence, null, List.of());
    if (base.get(object.key()) == null) {
      holdUntriedDependents(object.key());
      holdTarget(object, isRetried);
    }
  }

  private void holdUntriedDependents(ObjectKey missing) {
    for (ObjectKey key : BundleBuilder.dependents(missing, desired.untried())) {
      ConfigObject dependent = desired.get(key);
      if (dependent != null) {
        hold(dependent, Hold.Reason.DEPENDENCY_REJECTED, null, missing, List.of());
      }
    }
  }

  /**
   * Holds an object that proxies were lost to.
   *
   * @return the evidence; null if the object contributes to nothing
   */
  public @Nullable Evidence holdLost(
      ConfigObject object,
      Translation translation,
      boolean isSilence,
      String proxyClass,
      String message) {
    TranslatedObject translated = translation.objects().get(object.key());
    ResourceId resource = translated == null ? null : HoldTable.first(translated);
    Evidence evidence =
        translated == null || resource == null
            ? null
            : new Evidence(
                proxyClass,
                proxyClass,
                resource,
                Evidence.lost(object, translated.footprint(), isSilence),
                message,
                time.now());
    boolean isRetried = holds.isHeld(object);
    hold(object, reasonOf(isSilence), evidence, null, List.of());
    if (base.get(object.key()) == null) {
      holdUntriedDependents(object.key());
      holdTarget(object, isRetried);
    }
    return evidence;
  }

  private static Hold.Reason reasonOf(Evidence evidence) {
    if (evidence.isLoss()) {
      return reasonOf(evidence.isSilence());
    }
    return evidence.isProbe() ? Hold.Reason.PROBE_FAILED : Hold.Reason.REJECTED;
  }

  private static Hold.Reason reasonOf(boolean isSilence) {
    return isSilence ? Hold.Reason.PROXY_HUNG : Hold.Reason.PROXY_DIED;
  }

  /** Except objects whose older generation contributed to it: the mistake may be in that one. */
  private void holdDependents(ObjectKey missing, Resource refused) {
    for (ObjectKey key : BundleBuilder.dependents(missing, desired.untried())) {
      ConfigObject dependent = desired.get(key);
      boolean mayFix = base.get(key) != null && refused.contributions().get(key) != null;
      if (dependent != null && !mayFix) {
        hold(dependent, Hold.Reason.DEPENDENCY_REJECTED, null, missing, List.of());
      }
    }
  }

  /** What comes with a new policy does not become reachable without it. */
  private void holdTarget(ConfigObject policy, boolean isRetried) {
    ObjectKey key = ObjectReferences.policyTarget(policy);
    ConfigObject target = key == null || !desired.isPending(key) ? null : desired.get(key);
    if (target != null
        && (!isRetried
            || base.get(target.key()) == null
            || holds.waits(target.key(), policy.key()))) {
      hold(target, Hold.Reason.DEPENDENCY_REJECTED, null, policy.key(), List.of());
    }
  }

  /** The object's contribution to the refused resource, with the others that came with it. */
  private String part(ObjectKey key, Resource refused) {
    List<String> others = new ArrayList<>();
    refused
        .contributions()
        .forEach(
            (other, digest) -> {
              if (!other.equals(key) && base.contributes(other, refused)) {
                others.add(digest);
              }
            });
    String digest = refused.contributions().get(key);
    return digest == null ? "" : Evidence.part(digest, others);
  }

  /** Holds objects whose contribution was refused before; false if there are none. */
  public boolean holdByEvidence(Collection<ConfigObject> objects, Translation translation) {
    boolean found = false;
    for (ConfigObject object : objects) {
      Evidence known = holds.against(object, translation);
      if (known != null) {
        hold(object, reasonOf(known), known, null, List.of());
        found = true;
      }
    }
    return found;
  }

  /**
   * Holds changes that would cost traffic, as far as that can be told without a proxy; false if
   * there are none.
   */
  public boolean holdByValidation(
      SortedMap<ObjectKey, ConfigObject> objects, Translation translation) {
    Collection<TrialCheck.Finding> findings =
        List.copyOf(TrialCheck.check(base, objects, translation, holds));
    for (TrialCheck.Finding found : findings) {
      hold(found.object(), found.reason(), null, found.cause(), found.problems());
    }
    return !findings.isEmpty();
  }

  /** Whether a trial of some objects would not begin now, because one of them does not validate. */
  public boolean isInvalid(SortedMap<ObjectKey, ConfigObject> objects, Translation translation) {
    return !TrialCheck.check(base, objects, translation, holds).isEmpty();
  }

  /** Holds an object that needs no trial, and does not validate. */
  public void holdInvalid(ConfigObject object, List<String> problems) {
    hold(object, Hold.Reason.INVALID, null, null, problems);
    untried.add(object.key());
  }

  /** The served generations of held objects that need no trial; each is given once. */
  public List<ConfigObject> takeUnrecordedLastGood() {
    List<ConfigObject> lastGood = new ArrayList<>();
    for (ObjectKey key : untried) {
      ConfigObject served = holds.get(key) == null ? null : base.get(key);
      if (served != null) {
        lastGood.add(served);
      }
    }
    untried.clear();
    return lastGood;
  }

  /**
   * Retries objects that were held without asking a proxy: other objects have changed, and they may
   * be good now. Those that cannot be read are not, until they are edited.
   */
  public void retryInvalid() {
    SortedMap<ObjectKey, List<ObjectKey>> waiting = new TreeMap<>();
    for (Hold hold : holds.all()) {
      if (hold.reason() == Hold.Reason.DEPENDENCY_REJECTED && hold.cause() != null) {
        waiting.computeIfAbsent(hold.cause(), unused -> new ArrayList<>()).add(hold.key());
      }
    }
    for (Hold hold : List.copyOf(holds.all())) {
      ConfigObject object = desired.get(hold.key());
      if (hold.isFoundByValidation()
          && object != null
          && ObjectReferences.isReadable(object)
          && !desired.isPending(hold.key())) {
        desired.markPending(hold.key());
        // Without a release: they may well have to wait on.
        waiting.getOrDefault(hold.key(), List.of()).forEach(desired::markPending);
      }
    }
  }

  /** Holds suspects of a search that took too long; each is retried by itself later. */
  public void suspend(SortedMap<ObjectKey, ConfigObject> objects) {
    for (ConfigObject object : objects.values()) {
      hold(object, Hold.Reason.ATTRIBUTION_PENDING, null, null, List.of());
      desired.retryAlone(object.key());
    }
  }

  /**
   * Holds objects after an error of our own.
   *
   * @param again those of them that are retried by themselves later; the others are when they
   *     change
   */
  public void suspendAfterError(
      SortedMap<ObjectKey, ConfigObject> objects, Set<ObjectKey> again, String problem) {
    for (ConfigObject object : objects.values()) {
      hold(object, Hold.Reason.ATTRIBUTION_PENDING, null, null, List.of(problem));
      if (again.contains(object.key())) {
        desired.retryAlone(object.key());
      }
    }
  }

  /** Holds suspects among which the cause cannot be found. */
  public void holdSuspects(SortedMap<ObjectKey, ConfigObject> objects, Verdict.Refused rejection) {
    Hold.Reason reason =
        objects.size() == 1 ? Hold.Reason.REJECTED : Hold.Reason.ATTRIBUTION_PENDING;
    for (ConfigObject object : objects.values()) {
      String part = objects.size() == 1 ? part(object.key(), rejection.resource()) : "";
      hold(object, reason, evidence(rejection, part, List.of()), null, List.of());
      desired.markPending(object.key());
    }
  }

  /** Releases suspects, which are tried again. */
  public void releaseSuspects() {
    for (Hold hold : List.copyOf(holds.all())) {
      if (hold.reason() == Hold.Reason.ATTRIBUTION_PENDING && !hold.isInternalError()) {
        holds.remove(hold.key());
        observer.released(hold.key());
      }
    }
  }

  private Evidence evidence(Verdict.Refused rejection, String part, List<String> judges) {
    return new Evidence(
        rejection.proxyClass(),
        rejection.agent(),
        rejection.resource().id(),
        part,
        sanitise.apply(rejection.message()),
        time.now(),
        judges);
  }

  private void hold(
      ConfigObject object,
      Hold.Reason reason,
      @Nullable Evidence evidence,
      @Nullable ObjectKey cause,
      List<String> problems) {
    if (desired.isNewest(object)) {
      desired.done(object.key());
    }
    boolean closed = close(object);
    Hold hold =
        new Hold(
            object.key(),
            object.generation(),
            closed ? 0 : base.generation(object.key()),
            reason,
            evidence,
            cause,
            ObjectReferences.policyTarget(object),
            problems,
            time.now(),
            closed);
    if (hold.says(holds.get(object.key()))) {
      return; // it was retried, and nothing has changed
    }
    holds.put(hold, time.nanoTime());
    observer.held(hold);
    affected(hold);
  }

  private void affected(Hold hold) {
    observer.affected(hold.key());
    if (hold.guards() != null) {
      observer.affected(hold.guards()); // its status says whether the policy is in force
    }
  }

  /** Replaces the served generation by one that answers 503, if the author asked for that. */
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

  /** Stops serving old generations whose claims are in the way of other objects. */
  public void drop(Set<ObjectKey> stale) {
    SortedMap<ObjectKey, @Nullable ConfigObject> change = new TreeMap<>();
    for (ObjectKey key : stale) {
      change.put(key, null);
      Hold hold = holds.get(key);
      if (hold != null) {
        holds.put(hold.withNothingServed(), time.nanoTime());
      }
      observer.dropped(key);
    }
    base.apply(change);
  }

  /** An object was deleted: objects that waited for it need not. */
  public void deleted(ObjectKey key) {
    Set<ObjectKey> referredTo = targets(Set.of(key));
    Hold forgotten = holds.get(key);
    holds.forget(key);
    if (forgotten != null) {
      affected(forgotten);
    }
    retryWaitingFor(key);
    for (Hold hold : List.copyOf(holds.all())) {
      Evidence evidence = hold.evidence();
      if (evidence != null && !evidence.isAgainstOneAlone() && referredTo.contains(hold.key())) {
        retry(hold.key()); // the mistake may have been in the deleted object
      }
    }
  }

  /** The objects that the served generations of some objects refer to. */
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

  /** An object is served as desired: releases it, and retries objects that waited for it. */
  public void release(ObjectKey key) {
    Hold released = holds.remove(key);
    if (released != null) {
      observer.released(key);
      affected(released);
    }
    retryWaitingFor(key);
  }

  private void retryWaitingFor(ObjectKey key) {
    retryAll(hold -> key.equals(hold.cause()));
  }

  /**
   * Marks an object for a trial, together with the objects that wait for it and the policies for it
   * that are not in force: it may be good only with what they have become since.
   */
  public void retry(ObjectKey key) {
    desired.markPending(key);
    retryAll(hold -> hold.reason() == Hold.Reason.DEPENDENCY_REJECTED && key.equals(hold.cause()));
    for (Hold hold : holds.all()) {
      if (hold.served() == 0 && key.equals(hold.guards())) {
        desired.markPending(hold.key());
      }
    }
  }

  private void retryAll(Predicate<Hold> which) {
    for (Hold hold : List.copyOf(holds.all())) {
      if (which.test(hold)) {
        holds.remove(hold.key());
        desired.markPending(hold.key());
        observer.affected(hold.key());
      }
    }
  }

  /**
   * Retries held objects whose contribution has changed because other objects did.
   *
   * @param before the objects that the changed ones referred to until then
   */
  public void reconsider(Set<ObjectKey> changed, Set<ObjectKey> before) {
    if (holds.all().isEmpty()) {
      return;
    }
    retryAll(hold -> waitsNoLonger(hold, changed));
    Set<ObjectKey> referredTo = targets(changed);
    referredTo.addAll(before);
    for (Hold hold : List.copyOf(holds.all())) {
      ConfigObject object = desired.get(hold.key());
      Evidence evidence = hold.evidence();
      if (object != null
          && evidence != null
          && !desired.isPending(hold.key())
          && (referredTo.contains(hold.key()) || refersTo(changed, object))
          && hasChanged(object, evidence)) {
        retry(hold.key());
      }
    }
  }

  /** Whether an object waits for one that it no longer refers to, now that others changed. */
  private boolean waitsNoLonger(Hold hold, Set<ObjectKey> changed) {
    ConfigObject object = desired.get(hold.key());
    return hold.reason() == Hold.Reason.DEPENDENCY_REJECTED
        && hold.cause() != null
        && object != null
        && refersTo(changed, object)
        && !refersTo(Set.of(hold.cause()), object);
  }

  /** Whether an object refers to one of some objects, directly or through others. */
  private boolean refersTo(Set<ObjectKey> some, ConfigObject object) {
    Set<ObjectKey> seen = new HashSet<>();
    Deque<ConfigObject> open = new ArrayDeque<>(List.of(object));
    for (ConfigObject next = open.poll(); next != null; next = open.poll()) {
      for (ObjectKey target : ObjectReferences.of(next).targets()) {
        if (some.contains(target)) {
          return true;
        }
        if (seen.add(target)) {
          ConfigObject served = base.get(target);
          // What was never served may wait for this very object.
          ConfigObject found = served == null ? desired.get(target) : served;
          if (found != null) {
            open.add(found);
          }
        }
      }
    }
    return false;
  }

  /**
   * Whether the contribution of an object, together with what waits for it, differs from the one
   * that was refused.
   */
  private boolean hasChanged(ConfigObject object, Evidence evidence) {
    SortedMap<ObjectKey, ConfigObject> again = new TreeMap<>(Map.of(object.key(), object));
    for (Hold hold : holds.all()) {
      ConfigObject waiting = desired.get(hold.key());
      if (waiting != null && holds.waits(hold.key(), object.key())) {
        again.put(hold.key(), waiting);
      }
    }
    Translation translation = base.with(again);
    if (evidence.isLoss()) {
      TranslatedObject translated = translation.objects().get(object.key());
      return translated == null
          || !evidence
              .part()
              .equals(Evidence.lost(object, translated.footprint(), evidence.isSilence()));
    }
    String digest = Baseline.part(translation, object.key(), evidence.resource());
    Resource resource = translation.snapshot().get(evidence.resource());
    return !evidence.digest().equals(digest) || resource == null || !evidence.appliesTo(resource);
  }
}
