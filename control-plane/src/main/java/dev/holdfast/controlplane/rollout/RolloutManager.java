// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import dev.holdfast.base.Loop;
import dev.holdfast.base.TimeSource;
import dev.holdfast.config.AcceptedSpec;
import dev.holdfast.config.ClassSpec;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.report.Totals;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
import dev.holdfast.controlplane.rollout.fleet.ProxyFleet;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
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
import dev.holdfast.controlplane.rollout.proxyclass.RunningContent;
import dev.holdfast.controlplane.rollout.search.Incident;
import dev.holdfast.controlplane.rollout.search.IncidentArchive;
import dev.holdfast.controlplane.rollout.selection.Trial;
import dev.holdfast.controlplane.rollout.trial.DisagreementPolicy;
import dev.holdfast.controlplane.rollout.trial.Rollout;
import dev.holdfast.controlplane.rollout.trial.RolloutOptions;
import dev.holdfast.controlplane.translate.Translation;
import java.util.ArrayList;
import java.util.Collection;
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
 * The rollout that all classes of proxies go along with, and one for each class that does not. Loop
 * only.
 *
 * <p>A class goes its own way when it refuses what all others are served (or, if that is wished,
 * anything that others accept). It begins with what it last accepted, or if nothing is known of
 * that, with nothing, and finds out what of the others' selection it accepts. Nobody else is
 * touched. Once it is where the others are, it goes along again.
 */
public final class RolloutManager {
  /** More classes than that do not go their own way, whoever claims to be one. */
  private static final int MOST = 32;

  private final DisagreementPolicy disagreement;
  private final ProxyFleet stages;
  private final FleetRolloutObserver observer;
  private final UnaryOperator<String> sanitise;
  private final IncidentArchive incidents = new IncidentArchive();
  private final ClassRegistry roll;
  private final DivergedProxies divergence;
  private final ClassDifferences differences;
  private final BaselineRefusals dissenters;
  private final RunningContent running;
  private final Rollout common;
  private final ClassRolloutFactory beginnings;
  private final SortedMap<String, ClassRollout> separate = new TreeMap<>();

  /** Those that go their own way, also while none of their proxies is there. */
  private final SortedSet<String> apart = new TreeSet<>();

  private final SortedMap<ObjectKey, ConfigObject> live = new TreeMap<>();
  private boolean sourceSpoke;
  private boolean rollIsDue = true;
  private boolean closed;

  /**
   * @param empty the translation of no objects
   * @param sanitise makes what a proxy said fit to be shown
   */
  public RolloutManager(
      RolloutOptions options,
      Translation empty,
      ProxyFleet stages,
      TimeSource time,
      Loop loop,
      FleetRolloutObserver observer,
      UnaryOperator<String> sanitise) {
    this.disagreement = options.disagreement();
    this.stages = stages;
    this.observer = observer;
    this.sanitise = sanitise;
    this.roll = new ClassRegistry(time, observer);
    this.divergence = new DivergedProxies(time, sanitise, observer::diverged);
    this.differences = new ClassDifferences(observer);
    this.dissenters = new BaselineRefusals(stages, divergence);
    this.running = new RunningContent(stages, divergence);
    this.common =
        new Rollout(
            options,
            empty,
            new ClassFleet(stages, roll, divergence, null, name -> !separate.containsKey(name)),
            time,
            loop,
            new ForwardingObserver(observer) {
              @Override
              public void accepting(Collection<ConfigObject> objects, Set<String> voters) {
                voters.forEach(roll::proven);
                keepForThoseWhoDidNotVote(objects, voters);
              }

              @Override
              public void unnoticed(Collection<ConfigObject> objects) {
                differences.keep(objects, differences.classes(), common, separate);
              }
            },
            sanitise,
            incidents);
    this.beginnings =
        new ClassRolloutFactory(
            common,
            live,
            differences,
            empty,
            (proxyClass, from) ->
                new Rollout(
                    options,
                    from,
                    new ClassFleet(stages, roll, divergence, proxyClass, proxyClass::equals),
                    time,
                    loop,
                    new ClassRolloutObserver(proxyClass, common, differences, observer),
                    sanitise,
                    incidents));
  }

  /** Takes up what an earlier life knew. */
  public void restore(
      SortedMap<ObjectKey, AcceptedSpec> accepted,
      Collection<ClassSpec> byClass,
      SortedSet<String> classes,
      Collection<Evidence> certificates) {
    common.restore(accepted, certificates);
    roll.restore(classes);
    for (ClassSpec spec : byClass) {
      AcceptedSpec served = spec.spec();
      if (served == null || served.isWhole()) {
        differences.restore(
            spec.proxyClass(), spec.object(), served == null ? null : served.object());
        apart.add(spec.proxyClass());
      } else {
        observer.agrees(spec.proxyClass(), spec.object());
      }
    }
  }

  /** Takes up the incidents that an earlier life knew; newest first. */
  public void remember(List<Incident> earlier) {
    incidents.remember(earlier);
  }

  // Objects.

  /** Objects changed; null for one that is no more. */
  public void change(SortedMap<ObjectKey, @Nullable ConfigObject> changes) {
    check(); // what was answered before this came: otherwise those who never rest get nowhere
    for (Map.Entry<ObjectKey, @Nullable ConfigObject> change : changes.entrySet()) {
      ConfigObject object = change.getValue();
      if (object == null) {
        live.remove(change.getKey());
        differences.forget(change.getKey());
      } else {
        live.put(change.getKey(), object);
      }
    }
    if (!sourceSpoke) {
      sourceSpoke = true;
      differences.retain(live.keySet());
    }
    common.change(changes);
    List.copyOf(separate.values()).forEach(one -> one.change(changes));
    check();
  }

  /** Tries an object again that is held for anybody; false if it is not. */
  public boolean retry(ObjectKey key) {
    boolean held = common.retry(key);
    for (ClassRollout one : List.copyOf(separate.values())) {
      held |= one.rollout.retry(key);
    }
    return held;
  }

  // Proxies.

  /** A proxy of a class came; before it is shown anything. */
  public void arrived(String proxyClass) {
    rollIsDue = true;
    if (sourceSpoke && apart.contains(proxyClass) && !separate.containsKey(proxyClass)) {
      callTheRoll();
    }
  }

  /** A proxy left. */
  public void left() {
    rollIsDue = true;
  }

  /** Proxies may have said something. */
  public void check() {
    if (closed || !sourceSpoke) {
      return;
    }
    callTheRoll();
    lookForDissent();
    common.tryWithoutEvidence();
    common.check();
    for (ClassRollout one : List.copyOf(separate.values())) {
      one.rollout.tryWithoutEvidence();
      one.rollout.check();
      if (!one.goOn()) {
        rejoinIfItAgrees(one);
      }
    }
  }

  private void callTheRoll() {
    if (!rollIsDue) {
      return;
    }
    rollIsDue = false;
    Collection<ProxyFleet.Member> members = stages.members();
    SortedSet<String> classes = new TreeSet<>();
    members.forEach(member -> classes.add(member.proxyClass()));
    roll.take(classes);
    divergence.refresh(members);
    for (ClassRollout one : List.copyOf(separate.values())) {
      if (!classes.contains(one.proxyClass)) {
        park(one);
      }
    }
    for (String gone : roll.forget()) {
      differences.clear(gone);
      apart.remove(gone);
    }
    for (String proxyClass : classes) {
      if (apart.contains(proxyClass) && !separate.containsKey(proxyClass)) {
        begin(proxyClass, beginnings.whereItWas(proxyClass, null));
      }
    }
  }

  // Disagreement.

  private Rollout rolloutOf(String proxyClass) {
    ClassRollout one = separate.get(proxyClass);
    return one == null ? common : one.rollout;
  }

  private void lookForDissent() {
    dissenters.refusingBase(this::rolloutOf).forEach(this::separate);
    if (disagreement == DisagreementPolicy.PER_CLASS) {
      SortedSet<String> going = roll.present();
      going.removeAll(separate.keySet());
      Trial trial = common.trial();
      if (trial != null) {
        dissenters
            .refusingTrial(trial, going, this::rolloutOf)
            .forEach((proxyClass, refused) -> leaveTrial(proxyClass, trial, refused));
      }
    }
    for (String proxyClass : roll.unproven()) {
      if (rolloutOf(proxyClass).hasBaseline()
          && running.isEverything(proxyClass, rolloutOf(proxyClass))) {
        roll.proven(proxyClass);
      }
    }
    for (String proxyClass : differences.classes()) {
      if (!apart.contains(proxyClass) && running.isEverything(proxyClass, rolloutOf(proxyClass))) {
        differences.clear(proxyClass);
      }
    }
  }

  /** A class refuses what it is served. */
  private void separate(String proxyClass, Verdict.Refused refused) {
    ClassRollout before = separate.get(proxyClass);
    boolean loses = !differences.has(proxyClass) && running.hasSomethingToLose(proxyClass);
    if (before == null && (separate.size() >= MOST || loses)) {
      return; // those keep what they run of what they refuse, and get everything else
    }
    if (before == null) {
      beginnings.forgetWhatItRuns(proxyClass, served -> running.has(proxyClass, served));
    } else {
      before.rollout.close();
    }
    begin(
        proxyClass,
        before == null && differences.has(proxyClass)
            ? beginnings.whereItWas(proxyClass, null)
            : beginnings.withNothing(proxyClass));
    if (apart.add(proxyClass)) {
      observer.separated(proxyClass, reason(refused));
    }
  }

  /** A class refuses what others try as well, and tries on by itself. */
  private void leaveTrial(String proxyClass, Trial trial, Verdict.Refused refused) {
    if (separate.size() >= MOST) {
      return;
    }
    begin(
        proxyClass,
        common.hasBaseline()
            ? beginnings.whereItWas(proxyClass, trial)
            : beginnings.withNothing(proxyClass));
    apart.add(proxyClass);
    observer.separated(proxyClass, reason(refused));
  }

  private void begin(String proxyClass, ClassRollout one) {
    separate.put(proxyClass, one);
    one.begin();
  }

  private String reason(Verdict.Refused refused) {
    return "rejected " + refused.resource().id() + ": " + sanitise.apply(refused.message());
  }

  /** Before all others are served something else: whoever did not accept it stays where it is. */
  private void keepForThoseWhoDidNotVote(Collection<ConfigObject> objects, Set<String> voters) {
    if (!common.hasBaseline()) {
      return;
    }
    SortedSet<String> others = roll.known();
    others.addAll(apart);
    others.removeAll(voters);
    differences.keep(objects, others, common, separate);
  }

  /** The last proxy of a class that went its own way has left. */
  private void park(ClassRollout one) {
    compareIfNews(one);
    drop(one);
    if (!differences.has(one.proxyClass)) {
      apart.remove(one.proxyClass);
    }
  }

  private void rejoinIfItAgrees(ClassRollout one) {
    compareIfNews(one);
    if (one.isContent(common) && !differences.has(one.proxyClass)) {
      drop(one);
      apart.remove(one.proxyClass);
      observer.rejoined(one.proxyClass);
    }
  }

  private void compareIfNews(ClassRollout one) {
    if (!one.isSearching() && one.isNews(common)) {
      differences.compare(one.proxyClass, one.rollout.selection(), common.selection());
    }
  }

  private void drop(ClassRollout one) {
    one.rollout.close();
    separate.remove(one.proxyClass);
    stages.joinClass(one.proxyClass);
    one.rollout.holds().forEach(hold -> observer.affected(hold.key()));
    differences.get(one.proxyClass).keySet().forEach(observer::affected);
  }

  // Outside.

  public void close() {
    closed = true;
    common.close();
    separate.values().forEach(one -> one.rollout.close());
  }

  /** The one that all go along with but the separate ones. */
  public Rollout common() {
    return common;
  }

  /** Those of the classes that go their own way and are there, by class. */
  public SortedMap<String, Rollout> separate() {
    SortedMap<String, Rollout> rollouts = new TreeMap<>();
    separate.forEach((proxyClass, one) -> rollouts.put(proxyClass, one.rollout));
    return rollouts;
  }

  /** The proxies that refuse what others of their class run, by node. */
  public SortedMap<String, DivergedProxy> diverged() {
    return divergence.all();
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

  /** What the search for those to blame has cost since the start. */
  public Totals.Searches searches() {
    return incidents.searches();
  }
}
