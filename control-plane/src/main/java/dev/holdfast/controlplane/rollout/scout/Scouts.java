// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.scout;

import dev.holdfast.base.Loop;
import dev.holdfast.base.TimeSource;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.extension.ExtensionPolicy;
import dev.holdfast.controlplane.rollout.fleet.Departures;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
import dev.holdfast.controlplane.rollout.fleet.ProxyFleet;
import dev.holdfast.controlplane.rollout.fleet.ScoutProbe;
import dev.holdfast.controlplane.rollout.hold.Hold;
import dev.holdfast.controlplane.rollout.proxyclass.FleetRolloutObserver;
import dev.holdfast.controlplane.rollout.search.IncidentArchive;
import dev.holdfast.controlplane.rollout.selection.Bundle;
import dev.holdfast.controlplane.rollout.trial.CanaryLosses;
import dev.holdfast.controlplane.rollout.trial.Rollout;
import dev.holdfast.controlplane.rollout.trial.RolloutOptions;
import dev.holdfast.controlplane.rollout.trial.TrialGate;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.translate.Translation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Shows every change to scouts before the fleet sees it. Scouts have a rollout of their own, ahead
 * of the common one: it searches on them, loses them, and holds what they refuse. The common
 * rollout tries only what this lets through:
 *
 * <ul>
 *   <li>what scouts accepted;
 *   <li>what they refused, one bundle at a time and after everything else: no scout decides for
 *       others, and a NACK costs a proxy nothing;
 *   <li>never what they were lost to, or do not serve as they should: that is held;
 *   <li>everything, if there is no scout to ask.
 * </ul>
 *
 * Loop only.
 */
public final class Scouts implements TrialGate {
  /** How long the rollout of scouts outlives the last one, to judge what that was lost to. */
  private static final Duration AFTER_THE_LAST = Duration.ofSeconds(60);

  /** How long a change waits for a scout that was lost under it, if it may be no one's fault. */
  private static final Duration WAIT_FOR_RETURN = Duration.ofSeconds(4);

  /** What the fleet does not decide then is decided by scouts. */
  private static final int MOST_OFFERS = 4;

  private static final int MOST_MISSING = 64;

  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

  private final RolloutOptions options;
  private final Translation empty;
  private final ProxyFleet fleet;
  private final TimeSource time;
  private final Loop loop;
  private final FleetRolloutObserver observer;
  private final UnaryOperator<String> sanitise;
  private final IncidentArchive incidents;
  private final SortedMap<ObjectKey, ConfigObject> live;
  private final Supplier<Rollout> common;
  private final Runnable decided;
  private final ScoutFleet scouts;
  private final CanaryLosses losses;

  /** What was taken back from scouts because the fleet refused it: once each. */
  private final Set<ConfigObject> takenBack = new HashSet<>();

  /** How often what scouts refuse was shown to the fleet. */
  private final Map<ConfigObject, Integer> offers = new HashMap<>();

  private final SortedMap<ObjectKey, @Nullable ConfigObject> unseen = new TreeMap<>();
  private final SortedSet<String> covered = new TreeSet<>();
  private final SortedMap<String, Instant> missing = new TreeMap<>();
  private @Nullable Rollout rollout;
  private long lastThere;
  private final Progress progress;
  private final Lag lag;
  private boolean wakes;

  /** Whether a policy that a scout was lost to is among the pending changes. */
  private boolean isPolicySuspected;

  private boolean decidedScheduled;
  private boolean closed;

  /**
   * @param empty the translation of no objects
   * @param live the desired objects
   * @param common gives the rollout that is behind this gate
   * @param decided called on the loop when scouts have decided something
   */
  public Scouts(
      RolloutOptions options,
      Translation empty,
      ProxyFleet fleet,
      Departures departures,
      TimeSource time,
      Loop loop,
      FleetRolloutObserver observer,
      UnaryOperator<String> sanitise,
      IncidentArchive incidents,
      SortedMap<ObjectKey, ConfigObject> live,
      Supplier<Rollout> common,
      Runnable decided) {
    this.options = options.forScouts();
    this.empty = empty;
    this.fleet = fleet;
    this.time = time;
    this.loop = loop;
    this.observer = observer;
    this.sanitise = sanitise;
    this.incidents = incidents;
    this.live = live;
    this.common = common;
    this.decided = decided;
    this.scouts =
        new ScoutFleet(
            fleet,
            departures,
            time,
            options.scoutProbe() == null
                ? null
                : new ScoutProbes(
                    options.scoutProbe(),
                    time,
                    loop,
                    new ScoutProbes.FleetListener() {
                      @Override
                      public void answered() {
                        decideSoon();
                      }

                      @Override
                      public void probed(String node, ScoutProbe.Asked result) {
                        observer.probed(node, result);
                      }

                      @Override
                      public void unprobed(String node, String reason) {
                        observer.unprobed(node, reason);
                      }

                      @Override
                      public void ending(ProxyFleet.Member scout) {
                        scouts.ending(scout);
                      }

                      @Override
                      public void failed(Throwable error) {
                        observer.internalError("probing a scout", error);
                      }
                    }));
    this.losses = CanaryLosses.notStored(time);
    this.progress = new Progress(time);
    this.lag = new Lag(time);
  }

  /** Objects changed; null for one that was deleted. */
  public void change(SortedMap<ObjectKey, @Nullable ConfigObject> changes) {
    if (rollout != null) {
      unseen.putAll(changes);
      lag.forget(changes.keySet());
      offers.keySet().removeIf(object -> changes.containsKey(object.key()));
    }
  }

  /** The common rollout shows some changes to a canary. */
  public void offered(Collection<ConfigObject> objects) {
    Rollout own = rollout;
    if (own != null) {
      for (ConfigObject object : objects) {
        Hold hold = own.hold(object.key());
        if (hold != null && hold.generation() == object.generation()) {
          offers.merge(object, 1, Integer::sum);
        }
      }
    }
  }

  /** Whether the fleet has seen what scouts refuse, and has come to no conclusion. */
  private boolean isOfferedOften(ConfigObject object) {
    return offers.getOrDefault(object, 0) >= MOST_OFFERS;
  }

  /** Tries an object again that is held. */
  public void retry(ObjectKey key) {
    if (rollout != null) {
      rollout.retry(key);
      lag.forget(Set.of(key));
      offers.keySet().removeIf(object -> object.key().equals(key));
    }
  }

  /** A proxy left; it may be a scout. */
  public void left(String node, String proxyClass) {
    if (rollout != null && !scouts.isAway(node)) {
      rollout.left(node, proxyClass);
    }
  }

  /** A process that has connected holds nothing: an earlier one of this name has ended. */
  public void startedAnew(String node) {
    losses.died(node);
  }

  /**
   * Scouts may have come, gone or answered.
   *
   * @param isServed gives the classes of proxies that the common rollout serves
   */
  public void check(Supplier<? extends Set<String>> isServed) {
    if (closed) {
      return;
    }
    Collection<ProxyFleet.Member> connected = fleet.scouts();
    if (connected.isEmpty() && rollout == null) {
      tell();
      return;
    }
    Set<String> served = isServed.get();
    scouts.refresh(connected, name -> served.isEmpty() || served.contains(name));
    if (!scouts.isEmpty()) {
      lastThere = time.nanoTime();
    }
    if (rollout == null && !scouts.isEmpty()) {
      begin();
    }
    Rollout own = rollout;
    if (own != null) {
      goOn(own);
    }
    tell();
  }

  private void goOn(Rollout own) {
    if (scouts.isEmpty()
        && !scouts.isAnyAway()
        && (losses.isEmpty() || time.nanoTime() - lastThere >= AFTER_THE_LAST.toNanos())) {
      end(own);
      return;
    }
    if (!unseen.isEmpty()) {
      SortedMap<ObjectKey, @Nullable ConfigObject> changes = new TreeMap<>(unseen);
      unseen.clear();
      own.change(changes);
    }
    scouts.publish();
    own.check();
    reconcile(own);
    catchUp(own);
    progress.see(own, scouts.isProbing() || scouts.isAnyAway());
  }

  /**
   * Starts from what the fleet is served. If it is not known what proxies accept, and scouts are
   * the only ones who have nothing to lose, they begin with nothing.
   */
  private void begin() {
    Rollout fleets = common.get();
    boolean isFirst = !fleets.hasBaseline();
    List<ConfigObject> served = new ArrayList<>();
    for (ObjectKey key : fleets.selection().keys()) {
      ConfigObject object = fleets.selection().get(key);
      if (object != null) {
        served.add(object);
      }
    }
    Rollout own =
        new Rollout(
            options,
            isFirst ? empty : fleets.baseline(),
            scouts,
            time,
            loop,
            new ScoutObserver(observer, loop, this::decideSoon),
            sanitise,
            incidents,
            losses);
    List<Evidence> known = knownEvidence(own, fleets);
    if (isFirst) {
      known.forEach(own::addEvidence);
    } else {
      own.adopt(served, known, null);
    }
    rollout = own;
    progress.begin();
    takenBack.clear();
    lag.clear();
    offers.clear();
    unseen.clear();
    SortedMap<ObjectKey, @Nullable ConfigObject> wanted = new TreeMap<>();
    wanted.putAll(live);
    own.change(wanted);
  }

  /**
   * What is held is not shown to scouts, either; except what is held because one was lost, alone,
   * and that was not certain: a scout is there now to try it again.
   */
  private List<Evidence> knownEvidence(Rollout own, Rollout fleets) {
    List<Evidence> known = new ArrayList<>();
    for (Hold hold : fleets.holds()) {
      Evidence evidence = hold.evidence();
      ConfigObject object = live.get(hold.key());
      boolean isOpen = hold.reason().isLoss() && object != null && own.lastLoss(object) != null;
      if (evidence != null && hold.reason().isProven() && !isOpen) {
        known.add(certain(evidence));
      }
    }
    return known;
  }

  /** The same for scouts, who are not asked whether the fleet was right. */
  private static Evidence certain(Evidence evidence) {
    return new Evidence(
        evidence.proxyClass(),
        evidence.agent(),
        evidence.resource(),
        evidence.part(),
        evidence.message(),
        evidence.at());
  }

  private void end(Rollout own) {
    own.close();
    scouts.end();
    unseen.clear();
    rollout = null;
    decideSoon();
  }

  /** Scouts and the fleet may disagree: the fleet is right, since it is what others are served. */
  private void reconcile(Rollout own) {
    Rollout fleets = common.get();
    SortedMap<ObjectKey, @Nullable ConfigObject> before = new TreeMap<>();
    if (own.isIdle() && fleets.trial() == null) {
      for (Hold hold : fleets.holds()) {
        ConfigObject object = live.get(hold.key());
        Evidence evidence = hold.evidence();
        if (object != null
            && evidence != null
            && !fleets.isPending(hold.key())
            && !isOfScouts(hold, object)
            && hold.generation() == object.generation()
            && own.served(hold.key()) == hold.generation()
            && fleets.served(hold.key()) != hold.generation()
            && takenBack.add(object)) {
          own.addEvidence(certain(evidence));
          before.put(hold.key(), fleets.servedObject(hold.key()));
        }
      }
    }
    if (!before.isEmpty()) {
      own.takeBack(before);
    }
    for (Hold hold : own.holds()) {
      Evidence evidence = hold.evidence();
      if (hold.reason() == Hold.Reason.REJECTED
          && evidence != null
          && fleets.served(hold.key()) == hold.generation()) {
        diverge(evidence, fleets.baseline().snapshot().get(evidence.resource()));
      }
    }
  }

  /**
   * Scouts go back to what the fleet is served, if there is a change that they have accepted on top
   * of something else. What is pending they try again.
   */
  private void catchUp(Rollout own) {
    Rollout fleets = common.get();
    if (!lag.isDue() || own.trial() != null || fleets.trial() != null) {
      return;
    }
    lag.caughtUp();
    SortedMap<ObjectKey, @Nullable ConfigObject> before = new TreeMap<>();
    for (ObjectKey key : live.keySet()) {
      ConfigObject served = fleets.servedObject(key);
      if (Rollout.tries(key) && !Objects.equals(served, own.servedObject(key))) {
        before.put(key, served);
      }
    }
    if (!before.isEmpty()) {
      own.takeBack(before);
    }
  }

  /** Whether the fleet holds an object because scouts, and nobody else, were lost to it. */
  private boolean isOfScouts(Hold hold, ConfigObject object) {
    Evidence evidence = hold.evidence();
    boolean isProbe = evidence != null && evidence.isProbe();
    return isProbe
        || common.get().isFoundByGate(hold)
        || (hold.reason().isLoss() && common.get().lastLoss(object) == null);
  }

  /** Scouts that refuse what the fleet runs are not asked any more. */
  private void diverge(Evidence evidence, @Nullable Resource served) {
    for (ProxyFleet.Member member : List.copyOf(scouts.asked())) {
      if (served != null
          && member.proxyClass().equals(evidence.proxyClass())
          && fleet.opinion(member.node(), served) == ProxyFleet.Opinion.REFUSED) {
        scouts.diverge(member, evidence.message());
      }
    }
  }

  private void decideSoon() {
    if (!decidedScheduled) {
      decidedScheduled = true;
      loop.execute(
          () -> {
            decidedScheduled = false;
            decided.run();
          });
    }
  }

  // The gate.

  @Override
  public List<Bundle> next(List<Bundle> pending) {
    Rollout own = rollout;
    if (own == null) {
      return pending;
    }
    boolean isAsked = isAsked(own);
    isPolicySuspected = pending.stream().anyMatch(bundle -> isPolicySuspected(own, bundle));
    List<Bundle> open = new ArrayList<>();
    List<Bundle> untried = new ArrayList<>();
    List<Bundle> refused = new ArrayList<>();
    for (Bundle bundle : pending) {
      Opinion opinion = opinion(own, bundle, isAsked);
      if (opinion == Opinion.PENDING) {
        lookAgainLater();
      } else if (!isAsked) {
        (opinion == Opinion.OPEN ? open : refused).add(bundle);
      } else {
        Parts parts = Parts.of(bundle, own);
        if (parts.accepted() != null) {
          open.add(parts.accepted());
        } else if (parts.rest() != null) {
          (parts.isRefused() ? refused : untried).add(parts.rest());
        }
      }
    }
    for (List<Bundle> next : List.of(open, untried)) {
      List<Bundle> seen = isAsked ? seen(own, next) : next;
      if (!seen.isEmpty()) {
        return seen;
      }
    }
    return refused.stream().filter(bundle -> !isAsked || !hasUnseen(own, bundle)).limit(1).toList();
  }

  /** Those of some changes that bring proxies nothing but what scouts run. */
  private List<Bundle> seen(Rollout own, List<Bundle> changes) {
    if (changes.isEmpty() || isSeen(own, changes)) {
      return changes;
    }
    List<Bundle> seen = new ArrayList<>();
    for (Bundle bundle : changes) {
      if (isSeen(own, List.of(bundle)) || !lag.waits(bundle)) {
        seen.add(bundle);
      } else {
        lookAgainLater();
      }
    }
    return seen.size() < 2 || isSeen(own, seen) ? seen : seen.subList(0, 1);
  }

  private boolean isSeen(Rollout own, List<Bundle> changes) {
    return unseen(own, changes).isEmpty();
  }

  private SortedSet<ObjectKey> unseen(Rollout own, List<Bundle> changes) {
    Rollout fleets = common.get();
    return Unseen.in(
        fleets.selection().with(Bundle.all(changes)).snapshot(),
        fleets.baseline().snapshot(),
        own.baseline().snapshot());
  }

  /** What proxies get as its author wrote it is the first to be blamed. */
  private static boolean isPolicySuspected(Rollout own, Bundle bundle) {
    return bundle.objects().values().stream()
        .anyMatch(
            object ->
                object.key().kind().equals(ExtensionPolicy.KIND) && own.lastLoss(object) != null);
  }

  /** Whether scouts are about to give an opinion on what they have none on yet. */
  private boolean isAsked(Rollout own) {
    return own.trial() != null || (scouts.isWell() && !progress.isStuck());
  }

  /** Scouts may be gone by then, and nothing else may happen that tells. */
  private void lookAgainLater() {
    if (!wakes && !closed) {
      wakes = true;
      time.schedule(
          LOOK_AGAIN,
          () ->
              loop.execute(
                  () -> {
                    wakes = false;
                    if (!closed) {
                      decided.run();
                    }
                  }));
    }
  }

  private enum Opinion {
    OPEN,
    REFUSED,
    PENDING
  }

  private Opinion opinion(Rollout own, Bundle bundle, boolean isAsked) {
    Opinion worst = Opinion.OPEN;
    for (ConfigObject object : bundle.objects().values()) {
      Opinion opinion = opinion(own, object, isAsked);
      worst = opinion.compareTo(worst) > 0 ? opinion : worst;
    }
    return worst;
  }

  private Opinion opinion(Rollout own, ConfigObject object, boolean isAsked) {
    ObjectKey key = object.key();
    if (unseen.containsKey(key)) {
      return isAsked ? Opinion.PENDING : Opinion.OPEN;
    }
    if (own.served(key) == object.generation()) {
      return Opinion.OPEN;
    }
    if (isAsked && own.isPending(key)) {
      return Opinion.PENDING; // be it for the first time or again
    }
    Hold hold = own.hold(key);
    boolean isOver = own.isPending(key) && !Parts.isRefused(object, own);
    if (hold != null && hold.generation() == object.generation() && !isOver) {
      return switch (hold.reason()) {
        case REJECTED, CONFLICT, ATTRIBUTION_PENDING ->
            hold.isFoundByValidation()
                ? Opinion.OPEN
                : !isOfferedOften(object)
                    ? Opinion.REFUSED
                    : hold.reason() == Hold.Reason.REJECTED && hold.evidence() != null
                        ? Opinion.PENDING // held in a moment
                        : Opinion.OPEN;
        case PROXY_DIED, PROXY_HUNG, PROBE_FAILED -> Opinion.PENDING; // held in a moment
        case INVALID, DEPENDENCY_REJECTED -> Opinion.OPEN; // found without a proxy
      };
    }
    Long lost = own.lastLoss(object);
    if (lost != null) {
      boolean mayPass =
          !isAsked && !isPolicySuspected && time.nanoTime() - lost >= WAIT_FOR_RETURN.toNanos();
      return mayPass ? Opinion.OPEN : Opinion.PENDING;
    }
    return isAsked ? Opinion.PENDING : Opinion.OPEN;
  }

  /**
   * What scouts were lost to, or do not serve as they should; and what they refused, where nobody
   * can confirm that: there is no proxy, or all run what a search must not take away.
   */
  @Override
  public @Nullable Found found(List<Bundle> pending, boolean hasBaseline) {
    Rollout own = rollout;
    if (own == null || own.holds().isEmpty()) {
      return null;
    }
    boolean isLast = !hasBaseline || fleet.members().isEmpty();
    boolean isAsked = isAsked(own);
    for (Bundle bundle : pending) {
      if (isAsked && isOpen(own, bundle)) {
        continue; // what was found may be good with what it is now
      }
      for (ConfigObject object : bundle.objects().values()) {
        Hold hold = own.hold(object.key());
        Evidence evidence = hold == null ? null : hold.evidence();
        if (hold != null
            && evidence != null
            && hold.generation() == object.generation()
            && (hold.reason() == Hold.Reason.REJECTED || isCertain(evidence))) {
          boolean isFinal =
              isCertain(evidence) || isOfferedOften(object) || (isAsked && isUnseen(own, bundle));
          if (isFinal || isLast) {
            return new Found(object, bundle, isFinal ? certain(evidence) : byScouts(evidence));
          }
        }
      }
    }
    return null;
  }

  /** Whether what scouts refuse cannot be shown to the fleet: nothing else is left of it to try. */
  private boolean isUnseen(Rollout own, Bundle bundle) {
    Parts parts = Parts.of(bundle, own);
    return parts.accepted() == null && parts.rest() != null && hasUnseen(own, parts.rest());
  }

  /** Whether scouts have yet to try a part of it, be it for the first time or again. */
  private boolean isOpen(Rollout own, Bundle bundle) {
    return bundle.objects().keySet().stream()
        .anyMatch(key -> unseen.containsKey(key) || own.isPending(key));
  }

  /** Whether nobody who serves requests may be asked, or nobody could tell. */
  private static boolean isCertain(Evidence evidence) {
    return evidence.isLoss() || evidence.isProbe();
  }

  /**
   * Whether something would be shown to the fleet together with what scouts refuse that none of
   * them has seen.
   */
  private boolean hasUnseen(Rollout own, Bundle bundle) {
    SortedSet<ObjectKey> unseen = unseen(own, List.of(bundle));
    bundle.objects().values().stream()
        .filter(object -> Parts.isRefused(object, own))
        .forEach(object -> unseen.remove(object.key()));
    return !unseen.isEmpty();
  }

  /** Evidence that counts until a proxy that serves requests can be asked. */
  private Evidence byScouts(Evidence evidence) {
    List<String> judges =
        evidence.judges().isEmpty()
            ? scouts.asked().stream()
                .filter(member -> member.proxyClass().equals(evidence.proxyClass()))
                .map(ProxyFleet.Member::node)
                .limit(1)
                .toList()
            : evidence.judges().subList(0, 1);
    return new Evidence(
        evidence.proxyClass(),
        evidence.agent(),
        evidence.resource(),
        evidence.part(),
        evidence.message(),
        evidence.at(),
        judges);
  }

  @Override
  public boolean isAcquitted(ConfigObject object) {
    return rollout != null && rollout.served(object.key()) == object.generation();
  }

  // Reports.

  /** Tells which classes have a scout that is asked, and which no longer have. */
  private void tell() {
    SortedSet<String> now = new TreeSet<>();
    if (rollout != null) {
      for (ProxyFleet.Member member : scouts.asked()) {
        if (scouts.isWell(member.node())) {
          now.add(member.proxyClass());
        }
      }
    }
    for (String proxyClass : now) {
      if (!covered.contains(proxyClass)) {
        observer.scouted(proxyClass, true);
      }
    }
    for (String proxyClass : covered) {
      if (!now.contains(proxyClass)) {
        observer.scouted(proxyClass, false);
        if (missing.size() < MOST_MISSING) {
          missing.put(proxyClass, time.now());
        }
      }
    }
    missing.keySet().removeAll(now);
    covered.clear();
    covered.addAll(now);
  }

  /** The part that a connected scout has. */
  public enum Part {
    /** It is shown every change first. */
    FIRST,
    /** It does not run everything that it is shown, and is not asked until then. */
    STARTING,
    /** No proxy of its class is connected that is served with all others. */
    OF_NO_USE,
    /** It disagrees with the proxies of its class, and is not asked until it connects again. */
    DIVERGED
  }

  /** The classes that had a scout to ask, and have none, and since when. */
  public SortedMap<String, Instant> missing() {
    return Collections.unmodifiableSortedMap(missing);
  }

  /** The part that a connected scout has. */
  public Part part(String node) {
    if (scouts.divergence(node) != null) {
      return Part.DIVERGED;
    }
    if (scouts.asked().stream().noneMatch(member -> member.node().equals(node))) {
      return Part.OF_NO_USE;
    }
    return rollout != null && scouts.isWell(node) ? Part.FIRST : Part.STARTING;
  }

  public void close() {
    closed = true;
    if (rollout != null) {
      rollout.close();
    }
  }
}
