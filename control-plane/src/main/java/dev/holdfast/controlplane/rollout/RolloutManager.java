// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import dev.holdfast.base.Loop;
import dev.holdfast.base.TimeSource;
import dev.holdfast.config.AcceptedSpec;
import dev.holdfast.config.ClassSpec;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.report.Totals;
import dev.holdfast.controlplane.rollout.fleet.Departures;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
import dev.holdfast.controlplane.rollout.fleet.ProxyFleet;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.rollout.hold.Hold;
import dev.holdfast.controlplane.rollout.odd.LastSelections;
import dev.holdfast.controlplane.rollout.odd.OddProxies;
import dev.holdfast.controlplane.rollout.odd.RecentCommits;
import dev.holdfast.controlplane.rollout.proxyclass.AwaitedProxies;
import dev.holdfast.controlplane.rollout.proxyclass.BaselineRefusals;
import dev.holdfast.controlplane.rollout.proxyclass.ClassDifferences;
import dev.holdfast.controlplane.rollout.proxyclass.ClassFleet;
import dev.holdfast.controlplane.rollout.proxyclass.ClassRegistry;
import dev.holdfast.controlplane.rollout.proxyclass.ClassRollout;
import dev.holdfast.controlplane.rollout.proxyclass.ClassRolloutFactory;
import dev.holdfast.controlplane.rollout.proxyclass.ClassRolloutObserver;
import dev.holdfast.controlplane.rollout.proxyclass.DivergedProxies;
import dev.holdfast.controlplane.rollout.proxyclass.DivergedProxy;
import dev.holdfast.controlplane.rollout.proxyclass.FleetRolloutObserver;
import dev.holdfast.controlplane.rollout.proxyclass.ForwardingObserver;
import dev.holdfast.controlplane.rollout.proxyclass.LoopShare;
import dev.holdfast.controlplane.rollout.proxyclass.RunningContent;
import dev.holdfast.controlplane.rollout.scout.Scouts;
import dev.holdfast.controlplane.rollout.search.Incident;
import dev.holdfast.controlplane.rollout.search.IncidentArchive;
import dev.holdfast.controlplane.rollout.selection.Baseline;
import dev.holdfast.controlplane.rollout.selection.Trial;
import dev.holdfast.controlplane.rollout.trial.CanaryLosses;
import dev.holdfast.controlplane.rollout.trial.DisagreementPolicy;
import dev.holdfast.controlplane.rollout.trial.Rollout;
import dev.holdfast.controlplane.rollout.trial.RolloutOptions;
import dev.holdfast.controlplane.rollout.trial.StoredLoss;
import dev.holdfast.controlplane.translate.Translation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The common rollout, which all classes of proxies share, and one separate rollout for each class
 * that disagrees. Loop only.
 *
 * <p>A class is separated when it refuses the common baseline (or, with {@link
 * DisagreementPolicy#PER_CLASS}, anything that other classes accept). Its rollout starts from what
 * the class last accepted, or from nothing if that is not known, and finds out which part of the
 * common selection the class accepts. Other classes are not affected. Once both baselines are the
 * same, the class rejoins the common rollout.
 */
public final class RolloutManager {
  /** Proxies name their own class: no more than this many classes are separated. */
  private static final int MOST_SEPARATE = 32;

  /** Within this time after a start, those that are there need not be most of a class. */
  private static final Duration RECONNECT_TIME = Duration.ofSeconds(30);

  private final DisagreementPolicy policy;
  private final TimeSource time;
  private final Loop loop;
  private final ProxyFleet fleet;
  private final FleetRolloutObserver observer;
  private final UnaryOperator<String> sanitise;
  private final IncidentArchive incidents = new IncidentArchive();
  private final CanaryLosses losses;
  private final ClassRegistry classes;
  private final Departures departures;
  private final DivergedProxies diverged;
  private final AwaitedProxies awaited;
  private final ClassDifferences differences;
  private final BaselineRefusals refusals;
  private final RunningContent running;
  private final Rollout common;
  private final ClassRolloutFactory factory;
  private final SortedMap<String, ClassRollout> separate = new TreeMap<>();
  private final LoopShare share;
  private final RecentCommits commonCommits = new RecentCommits();
  private final Map<String, RecentCommits> classCommits = new HashMap<>();
  private final LastSelections lastSelections;
  private final OddProxies odd;
  private final Scouts scouts;

  /** The separated classes, also those without a connected proxy. */
  private final SortedSet<String> separated = new TreeSet<>();

  private final SortedMap<ObjectKey, ConfigObject> live = new TreeMap<>();

  /** When a baseline was restored whose proxies have yet to come back. */
  private @Nullable Instant reconnectingSince;

  private boolean objectsKnown;
  private boolean classesChanged = true;
  private boolean closed;

  /**
   * @param empty the translation of no objects
   * @param sanitise removes from a proxy's error text what must not be shown
   */
  public RolloutManager(
      RolloutOptions options,
      Translation empty,
      ProxyFleet fleet,
      TimeSource time,
      Loop loop,
      FleetRolloutObserver observer,
      UnaryOperator<String> sanitise) {
    this.policy = options.disagreement();
    this.time = time;
    this.loop = loop;
    this.fleet = fleet;
    this.observer = observer;
    this.sanitise = sanitise;
    this.losses = new CanaryLosses(time, observer, this::check);
    this.classes = new ClassRegistry(time, observer);
    this.departures = new Departures(time);
    this.diverged = new DivergedProxies(time, sanitise, observer::diverged);
    this.differences = new ClassDifferences(observer);
    this.awaited = new AwaitedProxies(time, loop, this::lookAgain);
    this.refusals = new BaselineRefusals(fleet, diverged, awaited, this::isOdd);
    this.running = new RunningContent(fleet, diverged, this::isOdd);
    this.scouts =
        new Scouts(
            options,
            empty,
            fleet,
            departures,
            time,
            loop,
            observer,
            sanitise,
            incidents,
            live,
            this::common,
            this::check);
    this.share = new LoopShare(time, () -> loop.execute(this::nextTurn));
    this.common =
        new Rollout(
            options,
            empty,
            new ClassFleet(
                fleet, classes, diverged, departures, null, name -> !separate.containsKey(name)),
            time,
            loop,
            new ForwardingObserver(observer) {
              @Override
              public void trying(Collection<ConfigObject> objects, Collection<String> canaries) {
                super.trying(objects, canaries);
                scouts.offered(objects);
              }

              @Override
              public void accepting(Collection<ConfigObject> objects, Set<String> voters) {
                commonCommits.add(objects, common.selection());
                if (!common.hasBaseline()) {
                  fleet.members().forEach(member -> classes.founds(member.proxyClass()));
                }
                voters.forEach(RolloutManager.this::runsBaseline);
                keepForOtherClasses(objects, voters);
              }

              @Override
              public void unnoticed(Collection<ConfigObject> objects) {
                commonCommits.add(objects, common.selection());
                differences.keep(objects, differences.classes(), common, separate);
              }
            },
            sanitise,
            incidents,
            losses,
            scouts);
    this.factory =
        new ClassRolloutFactory(
            common,
            live,
            differences,
            empty,
            (proxyClass, from) ->
                new Rollout(
                    options,
                    from,
                    new ClassFleet(
                        fleet, classes, diverged, departures, proxyClass, proxyClass::equals),
                    time,
                    loop,
                    new ClassRolloutObserver(
                        proxyClass,
                        common,
                        differences,
                        observer,
                        objects ->
                            commitsOf(proxyClass).add(objects, rolloutOf(proxyClass).selection())),
                    sanitise,
                    incidents,
                    losses));
    this.lastSelections = new LastSelections(fleet, observer);
    this.odd =
        new OddProxies(
            options,
            fleet,
            diverged,
            time,
            loop,
            observer,
            sanitise,
            this::rolloutOf,
            this::commitsOf,
            share,
            lastSelections,
            this::check,
            this::takeOver);
  }

  /** Restores what an earlier process stored. */
  public void restore(
      SortedMap<ObjectKey, AcceptedSpec> accepted,
      Collection<ClassSpec> byClass,
      SortedSet<String> knownClasses,
      Collection<Evidence> evidence) {
    common.restore(accepted, evidence);
    classes.restore(knownClasses);
    awaited.restore(knownClasses);
    if (!accepted.isEmpty()) {
      reconnectingSince = time.now();
    }
    for (ClassSpec spec : byClass) {
      AcceptedSpec served = spec.spec();
      AcceptedSpec committed = accepted.get(spec.object());
      if (spec.proxyClass().equals(FleetRolloutObserver.REPLACED)) {
        if (committed != null && (served == null || served.isWhole())) {
          common.restoreReplaced(
              spec.object(),
              committed.object().generation(),
              served == null ? null : served.object());
        }
      } else if (LastSelections.isOfProxy(spec.proxyClass())) {
        restoreProxy(spec);
      } else if (served == null || served.isWhole()) {
        awaited.forget(spec.proxyClass());
        differences.restore(
            spec.proxyClass(), spec.object(), served == null ? null : served.object());
        separated.add(spec.proxyClass());
      } else {
        observer.agrees(spec.proxyClass(), spec.object());
      }
    }
  }

  private void restoreProxy(ClassSpec spec) {
    AcceptedSpec served = spec.spec();
    if (served == null || served.isWhole()) {
      lastSelections.restore(
          spec.proxyClass(), spec.object(), served == null ? null : served.object());
    } else {
      observer.agrees(spec.proxyClass(), spec.object());
    }
  }

  /** Restores the canaries that were lost under an earlier process. */
  public void restoreLosses(Collection<StoredLoss> earlier) {
    losses.restore(earlier);
  }

  /** Restores the incidents that an earlier process stored, newest first. */
  public void restoreIncidents(List<Incident> earlier) {
    incidents.restore(earlier);
  }

  // Objects.

  /** Objects changed; null for one that was deleted. */
  public void change(SortedMap<ObjectKey, @Nullable ConfigObject> changes) {
    check(); // first what was answered already: otherwise constant edits would starve trials
    for (Map.Entry<ObjectKey, @Nullable ConfigObject> change : changes.entrySet()) {
      ConfigObject object = change.getValue();
      if (object == null) {
        live.remove(change.getKey());
        differences.forget(change.getKey());
        lastSelections.deleted(change.getKey());
      } else {
        live.put(change.getKey(), object);
      }
    }
    if (!objectsKnown) {
      objectsKnown = true;
      differences.retain(live.keySet());
      lastSelections.retain(live.keySet());
    }
    scouts.change(changes);
    commonCommits.deleting(changes, common);
    common.change(changes);
    for (ClassRollout one : List.copyOf(separate.values())) {
      commitsOf(one.proxyClass).deleting(changes, one.rollout);
      one.change(changes);
      inTurn(one.proxyClass, one::update);
    }
    check();
  }

  /** Retries an object that is held, for whichever class; false if none holds it. */
  public boolean retry(ObjectKey key) {
    scouts.retry(key);
    boolean held = common.retry(key);
    for (ClassRollout one : List.copyOf(separate.values())) {
      held |= one.rollout.retry(key);
    }
    return odd.retry(key) || held;
  }

  // Proxies.

  /** A proxy of a class connected; called before it is shown anything. */
  public void connected(String proxyClass) {
    classesChanged = true;
    if (objectsKnown && separated.contains(proxyClass) && !separate.containsKey(proxyClass)) {
      updateClasses();
    }
  }

  /** A client that is no Envoy connected. */
  public void clientConnected(String node) {
    departures.clientConnected(node);
  }

  /** A proxy that has connected holds nothing: an earlier process of this name has ended. */
  public void startedAnew(String node) {
    losses.died(node);
    departures.startedAnew(node);
    odd.startedAnew(node);
  }

  /** A proxy disconnected. */
  public void disconnected(String node, String proxyClass) {
    departures.left(node);
    odd.left(node);
    if (!diverged.contains(node)) {
      awaited.left(node, proxyClass);
    }
    rolloutOf(proxyClass).left(node, proxyClass);
    classesChanged = true;
  }

  /** A scout that has connected holds nothing: an earlier process of this name has ended. */
  public void scoutStartedAnew(String node) {
    scouts.startedAnew(node);
  }

  /** A scout disconnected. */
  public void scoutDisconnected(String node, String proxyClass) {
    scouts.left(node, proxyClass);
  }

  /** The classes that had a scout to ask, and have none although their proxies are served. */
  public SortedMap<String, Instant> missingScouts() {
    SortedMap<String, Instant> missing = new TreeMap<>(scouts.missing());
    missing.keySet().retainAll(classes.present());
    return missing;
  }

  /** The part that a connected scout has. */
  public Scouts.Part partOfScout(String node) {
    return scouts.part(node);
  }

  /** Proxies may have answered: every rollout looks at the verdicts. */
  public void check() {
    if (closed || !objectsKnown) {
      return;
    }
    fleet.judging();
    try {
      updateClasses();
      findDisagreement();
      common.retryOutdatedHolds();
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
      observer.internalError("comparing the classes of proxies", e);
    }
    try {
      scouts.check(this::servedInCommon);
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
      observer.internalError("asking scouts", e);
    }
    common.check();
    settle();
    for (ClassRollout one : List.copyOf(separate.values())) {
      inTurn(one.proxyClass, () -> check(one));
    }
    try {
      odd.check();
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
      observer.internalError("serving proxies that have diverged", e);
    }
    fleet.judged();
  }

  private void check(ClassRollout one) {
    one.update();
    one.rollout.retryOutdatedHolds();
    one.rollout.check();
    if (!one.startDeferred()) {
      rejoinIfEqual(one);
    }
  }

  /**
   * Does the work for one class. Classes without a say share a part of the loop's time: whoever
   * connects can be such a class, and translating everything for it takes as long as at a start.
   */
  private void inTurn(String proxyClass, Runnable work) {
    if (classes.hasSay(proxyClass)) {
      work.run();
    } else if (share.isOpen()) {
      share.run(work);
    }
  }

  private void nextTurn() {
    share.woken();
    classesChanged = true;
    check();
  }

  /**
   * The classes of proxies that are served by the common rollout and have a say there, also if they
   * are about to reconnect; none if nobody is connected.
   */
  private SortedSet<String> servedInCommon() {
    SortedSet<String> served = classes.present();
    if (!served.isEmpty()) {
      served.addAll(classes.reconnecting());
    }
    served.removeIf(each -> separate.containsKey(each) || !classes.hasSay(each));
    return served;
  }

  /** What most proxies run is not undone any more. */
  private void settle() {
    boolean areBack =
        reconnectingSince == null || !time.now().isBefore(reconnectingSince.plus(RECONNECT_TIME));
    if (areBack && common.hasUnsettled() && common.trial() == null && isOnMost(common)) {
      common.settled();
    }
    for (ClassRollout one : separate.values()) {
      if (one.rollout.hasUnsettled() && one.rollout.trial() == null && isOnMost(one.rollout)) {
        one.rollout.settled();
      }
    }
  }

  /** Whether most proxies of each class that is served by a rollout run its baseline. */
  private boolean isOnMost(Rollout rollout) {
    SortedSet<String> served = classes.present();
    served.removeIf(proxyClass -> rolloutOf(proxyClass) != rollout);
    return !served.isEmpty()
        && served.stream().allMatch(proxyClass -> running.isOnMost(proxyClass, rollout));
  }

  private void updateClasses() {
    if (!classesChanged) {
      return;
    }
    classesChanged = false;
    Collection<ProxyFleet.Member> members = fleet.members();
    SortedSet<String> present = new TreeSet<>();
    members.forEach(member -> present.add(member.proxyClass()));
    classes.update(present);
    awaited.refresh(members);
    diverged.refresh(members, awaited);
    for (ClassRollout one : List.copyOf(separate.values())) {
      if (!present.contains(one.proxyClass)) {
        park(one);
      }
    }
    for (String gone : classes.forget()) {
      differences.clear(gone);
      separated.remove(gone);
    }
    for (String proxyClass : present) {
      if (separated.contains(proxyClass) && !separate.containsKey(proxyClass)) {
        inTurn(proxyClass, () -> begin(proxyClass, factory.fromLastAccepted(proxyClass, null)));
      }
    }
  }

  // Disagreement.

  private Rollout rolloutOf(String proxyClass) {
    ClassRollout one = separate.get(proxyClass);
    return one == null ? common : one.rollout;
  }

  private RecentCommits commitsOf(String proxyClass) {
    return separate.containsKey(proxyClass)
        ? classCommits.computeIfAbsent(proxyClass, unused -> new RecentCommits())
        : commonCommits;
  }

  private boolean isOdd(String node) {
    return odd.contains(node);
  }

  /**
   * Whether a class accepted another selection than others, and does not run theirs by now: it may
   * have accepted a commit that came about without it.
   */
  private boolean isBehind(String proxyClass) {
    if (differences.has(proxyClass) && !separate.containsKey(proxyClass)) {
      factory.forgetDifferencesThatRun(proxyClass, served -> running.runs(proxyClass, served));
    }
    return differences.has(proxyClass);
  }

  private void findDisagreement() {
    refusals
        .refusingBaseline(this::rolloutOf, this::isBehind, this::undo)
        .forEach((proxyClass, refused) -> inTurn(proxyClass, () -> separate(proxyClass, refused)));
    if (policy == DisagreementPolicy.PER_CLASS) {
      SortedSet<String> voting = classes.present();
      voting.removeAll(separate.keySet());
      Trial trial = common.trial();
      if (trial != null) {
        refusals
            .refusingTrial(trial, voting, this::rolloutOf)
            .forEach((proxyClass, refused) -> leaveTrial(proxyClass, trial, refused));
      }
    }
    for (String proxyClass : classes.withoutBaseline()) {
      if (rolloutOf(proxyClass).hasBaseline()
          && running.isWholeBaseline(proxyClass, rolloutOf(proxyClass))) {
        runsBaseline(proxyClass);
      }
    }
    for (String proxyClass : differences.classes()) {
      if (!separated.contains(proxyClass)
          && running.isWholeBaseline(proxyClass, rolloutOf(proxyClass))) {
        differences.clear(proxyClass);
      }
    }
  }

  /** Proxies that were waited for have not come back. */
  private void lookAgain() {
    classesChanged = true;
    check();
  }

  /**
   * A proxy with a selection of its own is what is left of its class: then that is the selection of
   * the class.
   */
  private void takeOver(ProxyFleet.Member member, Baseline own) {
    String proxyClass = member.proxyClass();
    boolean areOthersLeft =
        fleet.members().stream()
            .anyMatch(each -> each.proxyClass().equals(proxyClass) && !isOdd(each.node()));
    if (areOthersLeft || separate.containsKey(proxyClass) || separate.size() >= MOST_SEPARATE) {
      return;
    }
    differences.compare(proxyClass, own, common.selection());
    if (differences.has(proxyClass)) {
      begin(proxyClass, factory.fromLastAccepted(proxyClass, null));
      separated.add(proxyClass);
      observer.separated(
          proxyClass,
          "has no other proxy than "
              + member.node()
              + " left, which rejects a part of the common one");
    }
  }

  /**
   * Most proxies of a class refuse what a commit brought: they get back what they had. With {@link
   * DisagreementPolicy#PER_CLASS} the other classes keep it.
   */
  private boolean undo(String node, Verdict.Refused refused) {
    String proxyClass = refused.proxyClass();
    Rollout rollout = rolloutOf(proxyClass);
    SortedMap<ObjectKey, @Nullable ConfigObject> before =
        rollout.takeReplaced(refused.resource(), object -> fleet.runs(node, object));
    if (before.isEmpty()) {
      return false;
    }
    SortedSet<String> others = classes.present();
    others.removeAll(separate.keySet());
    others.remove(proxyClass);
    if (rollout == common
        && policy == DisagreementPolicy.PER_CLASS
        && !others.isEmpty()
        && separate.size() < MOST_SEPARATE) {
      before.forEach((key, object) -> differences.keep(proxyClass, key, object));
      begin(proxyClass, factory.fromLastAccepted(proxyClass, null));
      separated.add(proxyClass);
      observer.separated(proxyClass, reason(refused));
    } else {
      rollout.undo(before, refused);
    }
    return true;
  }

  /** A class runs its baseline, and will have a say if it does so for a while. */
  private void runsBaseline(String proxyClass) {
    classes.runsBaseline(proxyClass);
    if (!classes.hasSay(proxyClass)) {
      time.schedule(ClassRegistry.A_WHILE, () -> loop.execute(this::newcomersHaveASay));
    }
  }

  private void newcomersHaveASay() {
    observer.classesChanged();
    check();
  }

  /** Whether the verdicts of a class count for others, and in the status of objects. */
  public boolean hasSay(String proxyClass) {
    return classes.hasSay(proxyClass);
  }

  /** A class refuses its own baseline. */
  private void separate(String proxyClass, Verdict.Refused refused) {
    ClassRollout before = separate.get(proxyClass);
    boolean loses = !differences.has(proxyClass) && running.hasSomethingToLose(proxyClass);
    if (before == null && (separate.size() >= MOST_SEPARATE || loses)) {
      return; // its proxies keep what they run in place of what they refuse, and get the rest
    }
    if (before != null) {
      before.rollout.close();
    }
    begin(
        proxyClass,
        before == null && differences.has(proxyClass)
            ? factory.fromLastAccepted(proxyClass, null)
            : factory.fromNothing(proxyClass));
    if (separated.add(proxyClass)) {
      observer.separated(proxyClass, reason(refused));
    }
  }

  /** A class refuses a trial that other classes take part in, and goes on by itself. */
  private void leaveTrial(String proxyClass, Trial trial, Verdict.Refused refused) {
    if (separate.size() >= MOST_SEPARATE) {
      return;
    }
    begin(
        proxyClass,
        common.hasBaseline()
            ? factory.fromLastAccepted(proxyClass, trial)
            : factory.fromNothing(proxyClass));
    separated.add(proxyClass);
    observer.separated(proxyClass, reason(refused));
  }

  private void begin(String proxyClass, ClassRollout one) {
    separate.put(proxyClass, one);
    one.begin();
  }

  private String reason(Verdict.Refused refused) {
    return "rejected " + refused.resource().id() + ": " + sanitise.apply(refused.message());
  }

  /** The common baseline is about to change: a class that did not vote for it stays behind. */
  private void keepForOtherClasses(Collection<ConfigObject> objects, Set<String> voters) {
    if (!common.hasBaseline()) {
      return;
    }
    SortedSet<String> others = classes.known();
    others.addAll(separated);
    others.removeAll(voters);
    differences.keep(objects, others, common, separate);
  }

  /** The last proxy of a separated class has disconnected. */
  private void park(ClassRollout one) {
    compareBaselines(one);
    drop(one);
    if (!differences.has(one.proxyClass)) {
      separated.remove(one.proxyClass);
    }
  }

  private void rejoinIfEqual(ClassRollout one) {
    compareBaselines(one);
    if (one.agreesWith(common) && !differences.has(one.proxyClass)) {
      drop(one);
      separated.remove(one.proxyClass);
      observer.rejoined(one.proxyClass);
    }
  }

  private void compareBaselines(ClassRollout one) {
    if (!one.isSearching() && one.isUpToDate() && one.isBaselineChanged(common)) {
      differences.compare(one.proxyClass, one.rollout.selection(), common.selection());
    }
  }

  private void drop(ClassRollout one) {
    one.rollout.close();
    separate.remove(one.proxyClass);
    classCommits.remove(one.proxyClass);
    fleet.joinClass(one.proxyClass);
    one.rollout.holds().forEach(hold -> observer.affected(hold.key()));
    differences.get(one.proxyClass).keySet().forEach(observer::affected);
  }

  // Outside.

  public void close() {
    closed = true;
    common.close();
    scouts.close();
    separate.values().forEach(one -> one.rollout.close());
    odd.close();
  }

  /** The rollout of all classes that are not separated. */
  public Rollout common() {
    return common;
  }

  /** The same of those classes that have a say. */
  public SortedMap<String, Rollout> counting() {
    SortedMap<String, Rollout> rollouts = separate();
    rollouts.keySet().removeIf(proxyClass -> !hasSay(proxyClass));
    return rollouts;
  }

  /** The rollouts of separated classes that have a connected proxy, by class. */
  public SortedMap<String, Rollout> separate() {
    SortedMap<String, Rollout> rollouts = new TreeMap<>();
    separate.forEach((proxyClass, one) -> rollouts.put(proxyClass, one.rollout));
    return rollouts;
  }

  /** Whether an object is served, or may be. */
  public boolean knows(ObjectKey key) {
    return live.containsKey(key);
  }

  /** Whether proxies of any class are served this generation, or will be when they connect. */
  public boolean serves(ConfigObject object) {
    ObjectKey key = object.key();
    if (common.served(key) == object.generation()
        || odd.serves(object)
        || separate.values().stream()
            .anyMatch(one -> one.rollout.served(key) == object.generation())) {
      return true;
    }
    for (String proxyClass : differences.classes()) {
      ConfigObject served = differences.get(proxyClass).get(key);
      if (served != null && served.generation() == object.generation()) {
        return true;
      }
    }
    return false;
  }

  /** The proxies that refuse what other proxies of their class run, by node. */
  public SortedMap<String, DivergedProxy> diverged() {
    return diverged.all();
  }

  /** What a proxy that has diverged does not get as its class gets it. */
  public Collection<Hold> heldForProxy(String node) {
    return odd.holds(node);
  }

  /** The rollouts of proxies that have diverged and have a selection of their own, by node. */
  public SortedMap<String, Rollout> ofProxies() {
    return odd.rollouts();
  }

  /** All incidents, newest first. */
  public List<Incident> incidents() {
    List<Incident> open = new ArrayList<>();
    addOpenIncident(common, open);
    separate.values().forEach(one -> addOpenIncident(one.rollout, open));
    return incidents.all(open);
  }

  private static void addOpenIncident(Rollout rollout, List<Incident> open) {
    Incident incident = rollout.openIncident();
    if (incident != null) {
      open.add(incident);
    }
  }

  /** What all searches have cost since the start. */
  public Totals.Searches searches() {
    return incidents.searches();
  }
}
