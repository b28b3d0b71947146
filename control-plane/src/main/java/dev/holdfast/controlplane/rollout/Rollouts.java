// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import dev.holdfast.base.Loop;
import dev.holdfast.base.TimeSource;
import dev.holdfast.config.AcceptedSpec;
import dev.holdfast.config.ClassSpec;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.report.Totals;
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
public final class Rollouts {
  /** More classes than that do not go their own way, whoever claims to be one. */
  private static final int MOST = 32;

  private final Disagreement disagreement;
  private final Stages stages;
  private final RolloutsObserver observer;
  private final UnaryOperator<String> sanitise;
  private final Incidents incidents = new Incidents();
  private final RollCall roll;
  private final Divergence divergence;
  private final Differences differences;
  private final Dissenters dissenters;
  private final Running running;
  private final Rollout common;
  private final Beginnings beginnings;
  private final SortedMap<String, Separate> separate = new TreeMap<>();

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
  public Rollouts(
      RolloutOptions options,
      Translation empty,
      Stages stages,
      TimeSource time,
      Loop loop,
      RolloutsObserver observer,
      UnaryOperator<String> sanitise) {
    this.disagreement = options.disagreement();
    this.stages = stages;
    this.observer = observer;
    this.sanitise = sanitise;
    this.roll = new RollCall(time, observer);
    this.divergence = new Divergence(time, sanitise, observer::diverged);
    this.differences = new Differences(observer);
    this.dissenters = new Dissenters(stages, divergence);
    this.running = new Running(stages, divergence);
    this.common =
        new Rollout(
            options,
            empty,
            new ClassStage(stages, roll, divergence, null, name -> !separate.containsKey(name)),
            time,
            loop,
            new Passing(observer) {
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
        new Beginnings(
            common,
            live,
            differences,
            empty,
            (proxyClass, from) ->
                new Rollout(
                    options,
                    from,
                    new ClassStage(stages, roll, divergence, proxyClass, proxyClass::equals),
                    time,
                    loop,
                    new ClassWatch(proxyClass, common, differences, observer),
                    sanitise,
                    incidents));
  }

  /** Takes up what an earlier life knew. */
  public void restore(
      SortedMap<ObjectKey, AcceptedSpec> accepted,
      Collection<ClassSpec> byClass,
      SortedSet<String> classes,
      Collection<Certificate> certificates) {
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
    for (Separate one : List.copyOf(separate.values())) {
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
    for (Separate one : List.copyOf(separate.values())) {
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
    Collection<Stages.Member> members = stages.members();
    SortedSet<String> classes = new TreeSet<>();
    members.forEach(member -> classes.add(member.proxyClass()));
    roll.take(classes);
    divergence.refresh(members);
    for (Separate one : List.copyOf(separate.values())) {
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
    Separate one = separate.get(proxyClass);
    return one == null ? common : one.rollout;
  }

  private void lookForDissent() {
    dissenters.refusingBase(this::rolloutOf).forEach(this::separate);
    if (disagreement == Disagreement.PER_CLASS) {
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
      if (rolloutOf(proxyClass).hasEverAccepted()
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
    Separate before = separate.get(proxyClass);
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
        common.hasEverAccepted()
            ? beginnings.whereItWas(proxyClass, trial)
            : beginnings.withNothing(proxyClass));
    apart.add(proxyClass);
    observer.separated(proxyClass, reason(refused));
  }

  private void begin(String proxyClass, Separate one) {
    separate.put(proxyClass, one);
    one.begin();
  }

  private String reason(Verdict.Refused refused) {
    return "rejected " + refused.resource().id() + ": " + sanitise.apply(refused.message());
  }

  /** Before all others are served something else: whoever did not accept it stays where it is. */
  private void keepForThoseWhoDidNotVote(Collection<ConfigObject> objects, Set<String> voters) {
    if (!common.hasEverAccepted()) {
      return;
    }
    SortedSet<String> others = roll.known();
    others.addAll(apart);
    others.removeAll(voters);
    differences.keep(objects, others, common, separate);
  }

  /** The last proxy of a class that went its own way has left. */
  private void park(Separate one) {
    compareIfNews(one);
    drop(one);
    if (!differences.has(one.proxyClass)) {
      apart.remove(one.proxyClass);
    }
  }

  private void rejoinIfItAgrees(Separate one) {
    compareIfNews(one);
    if (one.isContent(common) && !differences.has(one.proxyClass)) {
      drop(one);
      apart.remove(one.proxyClass);
      observer.rejoined(one.proxyClass);
    }
  }

  private void compareIfNews(Separate one) {
    if (!one.isSearching() && one.isNews(common)) {
      differences.compare(one.proxyClass, one.rollout.base(), common.base());
    }
  }

  private void drop(Separate one) {
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
  public SortedMap<String, Diverged> diverged() {
    return divergence.all();
  }

  /** Newest first. */
  public List<Incident> incidents() {
    List<Rollout> all = new ArrayList<>(List.of(common));
    separate.values().forEach(one -> all.add(one.rollout));
    return incidents.all(all);
  }

  /** What the search for those to blame has cost since the start. */
  public Totals.Searches searches() {
    return incidents.searches();
  }
}
