// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import dev.holdfast.base.Loop;
import dev.holdfast.base.TimeSource;
import dev.holdfast.config.AcceptedSpec;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.report.Totals;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.Snapshot;
import dev.holdfast.controlplane.translate.Translation;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Decides what is shown to whom. Loop only.
 *
 * <p>The base is what every class has accepted. Idle, all that is wanted and not in it is tried at
 * once; if that is refused, a {@link Search} goes on from the base until it has found whom to
 * blame, who is held; then what is left is tried.
 *
 * <p>Endpoints and deletions need no trial. Before anything was ever accepted there is no base to
 * keep anybody on: then the first proxies are shown all there is.
 */
public final class Rollout {
  private final RolloutOptions options;
  private final Stage stage;
  private final TimeSource time;
  private final RolloutObserver observer;
  private final Incidents allIncidents;
  private final Base base;
  private final Wishes wishes;
  private final Holds holds;
  private final Convictions convictions;
  private final IncidentLog incidents;
  private final Attribution attribution;
  private final Canaries canaries;
  private final Reasons reasons = new Reasons();
  private final Intake intake;
  private final Ghosts ghosts;
  private final Lanes lanes;
  private final Alarm alarm;

  /** What is served of these, should the newest be refused, would not survive a crash yet. */
  private final Set<ObjectKey> unwritten = new HashSet<>();

  private boolean everAccepted;
  private boolean sourceSpoke;
  private @Nullable Trial trial;
  private final Desired desired;
  private long nextRelease;

  /** What the very first proxies are shown. */
  private long firstEdition;

  /**
   * What all were shown first, if that was refused: until it is known what is good of it, those who
   * try nothing out stay on it, and so keep what they came with.
   */
  private @Nullable Translation first;

  private long firstShown;

  /** Those who find that out. */
  private Set<String> scouts = Set.of();

  /** Whether there is no way to tell who is to blame, until somebody writes something else. */
  private boolean frozen;

  private boolean closed;

  /**
   * @param sanitise makes what a proxy said fit to be shown
   */
  public Rollout(
      RolloutOptions options,
      Translation empty,
      Stage stage,
      TimeSource time,
      Loop loop,
      RolloutObserver observer,
      UnaryOperator<String> sanitise) {
    this(options, empty, stage, time, loop, observer, sanitise, new Incidents());
  }

  /** The same, with incidents that other rollouts have to do with, too. */
  Rollout(
      RolloutOptions options,
      Translation empty,
      Stage stage,
      TimeSource time,
      Loop loop,
      RolloutObserver observer,
      UnaryOperator<String> sanitise,
      Incidents all) {
    this.options = options;
    this.stage = stage;
    this.time = time;
    this.observer = observer;
    this.allIncidents = all;
    this.holds = new Holds(stage::counts);
    this.base = new Base(empty, observer::affected);
    this.wishes = new Wishes(base::get);
    this.convictions = new Convictions(base, wishes, holds, time, observer, sanitise);
    this.incidents = new IncidentLog(all, time, observer::incident);
    this.attribution = new Attribution(base, incidents, options, sanitise);
    this.canaries = new Canaries(stage, time, options);
    this.desired = new Desired(base, wishes, holds);
    this.intake = new Intake(base, wishes, convictions);
    this.ghosts = new Ghosts(base, wishes);
    this.lanes = new Lanes(holds, time, options.probation());
    this.alarm = new Alarm(time, loop, this::check);
    this.nextRelease = time.nanoTime();
    stage.excuse(this::excuses);
  }

  /** Takes up what an earlier life knew: what was accepted, and the evidence against the rest. */
  public void restore(
      SortedMap<ObjectKey, AcceptedSpec> accepted, Collection<Certificate> certificates) {
    intake.restore(accepted);
    everAccepted = !accepted.isEmpty();
    certificates.forEach(holds::add);
  }

  /**
   * Begins where another one stands.
   *
   * @param served the objects that the translation is of that this one was made with
   * @param tried what the other one was just showing to proxies that are this one's now; null if
   *     nothing
   */
  void adopt(
      Collection<ConfigObject> served,
      Collection<Certificate> certificates,
      @Nullable Trial tried) {
    base.adopt(served);
    everAccepted = true;
    trial = tried;
    certificates.forEach(holds::add);
  }

  /** Takes evidence of proxies that are, or may yet be, this one's. */
  void learn(Certificate certificate) {
    holds.add(certificate);
  }

  // Objects.

  /** Whether changes of an object are tried: those of endpoints go out as they come. */
  public static boolean tries(ObjectKey key) {
    return Intake.tries(key);
  }

  /** Objects changed; null for one that is no more. */
  public void change(SortedMap<ObjectKey, @Nullable ConfigObject> changes) {
    changes.keySet().forEach(observer::affected);
    SortedMap<ObjectKey, @Nullable ConfigObject> atOnce = intake.take(changes);
    changes.forEach(
        (key, object) -> {
          if (object == null) {
            removed(key);
          }
        });
    desired.moved(changes.keySet());
    if (!atOnce.isEmpty()) {
      base.apply(atOnce);
      if (trial != null) {
        trial.translation = trial.translation.with(atOnce);
      }
      if (first != null) {
        first = first.with(atOnce);
      }
    }
    if (!sourceSpoke) {
      sourceSpoke = true;
      SortedSet<ObjectKey> inTheWay = ghosts.inTheWayOf(wishes.served(), base.translation());
      convictions.drop(inTheWay);
      desired.moved(inTheWay);
    }
    show();
    check();
  }

  private void removed(ObjectKey key) {
    if (trial != null && Unit.all(trial.units).containsKey(key)) {
      trial = null;
    }
    attribution.removed(key);
  }

  /** Tries an object again that is held; false if it is not. */
  public boolean retry(ObjectKey key) {
    if (holds.get(key) == null) {
      return false;
    }
    holds.forgive(key);
    wishes.pend(key);
    check();
    return true;
  }

  // Trials.

  /** Proxies may have said something. */
  public void check() {
    if (closed || !sourceSpoke) {
      return;
    }
    if (!everAccepted && !attribution.isUnderWay()) {
      tryFirst();
    } else if (trial == null) {
      goOn();
    } else {
      judge(trial);
    }
  }

  /** Nothing was ever accepted: everybody is shown everything, and the first answers decide. */
  private void tryFirst() {
    Trial shown = trial;
    if (shown == null || wishes.edition() != firstEdition) {
      List<Unit> units = wishes.units();
      firstEdition = wishes.edition();
      frozen = false;
      convictions.clearSuspects();
      shown = new Trial(units, new TreeMap<>(), base.with(Unit.all(units)), time.nanoTime());
      trial = shown;
      first = shown.translation;
      firstShown = shown.began;
      show();
    }
    if (frozen) {
      return;
    }
    Trial current = shown;
    boolean accepted = false;
    for (Stage.Candidate candidate : canaries.voters()) {
      Verdict verdict = stage.verdict(candidate.node());
      if (verdict instanceof Verdict.Refused refused) {
        current.canaries.put(candidate.proxyClass(), candidate.node());
        canaries.voters().forEach(v -> current.canaries.putIfAbsent(v.proxyClass(), v.node()));
        scouts = Set.copyOf(current.canaries.values());
        refused(current, refused);
        return;
      }
      accepted |= verdict instanceof Verdict.Accepted;
    }
    if (accepted && !mustWait()) {
      accepted(current);
    }
  }

  /** Whether the proxies of some other class have only just come. */
  private boolean mustWait() {
    boolean open = canaries.isSomebodyOpen();
    if (open) {
      alarm.in(Canaries.WAIT);
    }
    return open;
  }

  /** Begins the next trial, if there is anything to try and anybody to try it. */
  private void goOn() {
    if (attribution.isUnderWay()) {
      goOnSearching();
      return;
    }
    List<Unit> units = lanes.next(wishes.units());
    if (units.isEmpty() || time.nanoTime() - firstShown > options.searchTime().toNanos()) {
      leaveFirst();
    }
    if (units.isEmpty()) {
      incidents.end();
      letGo();
      releaseSlowly();
    } else {
      begin(units);
    }
  }

  /** Everybody is shown what is good. */
  private void leaveFirst() {
    if (first != null && everAccepted) {
      first = null;
      scouts = Set.of();
      show();
    }
  }

  /** Takes away what others referred to, now that they have had time not to. */
  private void letGo() {
    SortedMap<ObjectKey, @Nullable ConfigObject> gone = intake.letGo();
    if (!gone.isEmpty()) {
      desired.moved(gone.keySet());
      base.apply(gone);
      show();
    }
  }

  private void begin(List<Unit> units) {
    SortedMap<ObjectKey, ConfigObject> objects = Unit.all(units);
    if (!Collections.disjoint(objects.keySet(), unwritten)) {
      return; // until what is served now can be served again after a crash
    }
    Translation translation = base.with(objects);
    SortedSet<ObjectKey> inTheWay = ghosts.inTheWayOf(objects.values(), translation);
    if (!inTheWay.isEmpty()) {
      convictions.drop(inTheWay);
      desired.moved(inTheWay);
      translation = base.with(objects);
    }
    boolean convicted = false;
    for (Unit unit : units) {
      convicted |= convictions.convictByEvidence(unit, translation);
    }
    if (convicted) {
      attribution.end();
      show();
      goOn();
      return;
    }
    if (base.looksLike(translation)) {
      settled(objects, translation);
      return;
    }
    SortedMap<String, String> searchers = attribution.searchers();
    SortedMap<String, String> chosen =
        !searchers.isEmpty()
            ? searchers
            : mustNotTakeAway() ? canaries.chooseCold() : canaries.choose();
    if (chosen.isEmpty()) {
      if (canaries.isWaiting()) {
        alarm.in(Canaries.WAIT);
      }
      if (mustNotTakeAway()) {
        freeze();
      } else if (scouts.stream().allMatch(node -> stage.verdict(node) instanceof Verdict.Gone)) {
        leaveFirst();
      }
      return; // until somebody is there to try it
    }
    trial = new Trial(units, chosen, translation, time.nanoTime());
    incidents.push(units, chosen.values());
    show();
    alarm.in(options.patience());
  }

  private void judge(Trial current) {
    boolean open = false;
    boolean late = time.nanoTime() - current.began >= options.patience().toNanos();
    for (String node : List.copyOf(current.canaries.values())) {
      Verdict verdict = stage.verdict(node);
      if (verdict instanceof Verdict.Refused refused) {
        refused(current, refused);
        return;
      }
      if (verdict instanceof Verdict.Gone || (verdict instanceof Verdict.Open && late)) {
        canaries.silent(node);
        letOthersTry(node);
        return;
      }
      open |= verdict instanceof Verdict.Open;
    }
    if (!open) {
      accepted(current);
    }
  }

  /** Silence is no rejection. */
  private void letOthersTry(String node) {
    attribution.without(node);
    trial = null;
    show();
    goOn();
  }

  private void accepted(Trial current) {
    observer.accepting(Unit.all(current.units).values(), current.canaries.keySet());
    trial = null;
    everAccepted = true;
    if (current.canaries.isEmpty() || !canaries.areCold(current.canaries.values())) {
      first = null; // it is what is good, or has all but those that the text points at
      scouts = Set.of();
    }
    settled(Unit.all(current.units), current.translation);
  }

  /** Some objects are part of the base from now on. */
  private void settled(SortedMap<ObjectKey, ConfigObject> objects, Translation translation) {
    base.commit(objects, translation);
    for (ConfigObject object : objects.values()) {
      if (wishes.isNewest(object)) {
        wishes.done(object.key());
        convictions.release(object.key());
      }
      observer.affected(object.key());
    }
    observer.committed(objects.values());
    unwritten.addAll(objects.keySet());
    observer.whenDurable(() -> written(objects.keySet()));
    convictions.reconsider(objects.keySet());
    attribution.accepted();
    show();
    goOn();
  }

  private void written(Set<ObjectKey> keys) {
    unwritten.removeAll(keys);
    check();
  }

  // Attribution.

  private void refused(Trial current, Verdict.Refused refused) {
    trial = null;
    if (attribution.refused(current, refused)) {
      goOnSearching();
    } else {
      String node = current.canaries.getOrDefault(refused.proxyClass(), "");
      canaries.stubborn(node); // refuses what nobody touched: it speaks for itself alone
      letOthersTry(node);
    }
  }

  private void goOnSearching() {
    List<Unit> next = attribution.next();
    if (mustNotTakeAway() && !maySearch()) {
      freeze();
      return;
    }
    if (!next.isEmpty()) {
      begin(next);
      return;
    }
    ConfigObject culprit = attribution.culprit();
    if (culprit == null) {
      convictions.suspend(Unit.all(attribution.giveUp()));
    } else {
      Verdict.Refused evidence = attribution.evidence();
      ObjectKey other = Conflicts.with(culprit, evidence, base);
      incidents.culprit(culprit, convictions.convict(culprit, evidence, other));
      attribution.end();
    }
    show();
    goOn();
  }

  /** Whether there are proxies that would lose something nobody here knows of. */
  private boolean mustNotTakeAway() {
    return first != null && canaries.anyAdopted();
  }

  /**
   * Whether a search is worth what it takes away. What one object alone is a resource of stays as
   * proxies have it: there is nothing to find out, and nobody else to set free.
   */
  private boolean maySearch() {
    return attribution.suspects().size() > 1
        && (attribution.mayTakeAway()
            || canaries.areCold(attribution.searchers().values())
            || useThoseWithNothingToLose());
  }

  /** Lets proxies search that run nothing yet; false if there are none. */
  private boolean useThoseWithNothingToLose() {
    SortedMap<String, String> chosen = canaries.chooseCold();
    attribution.searchWith(chosen);
    scouts = Set.copyOf(chosen.values());
    return !chosen.isEmpty();
  }

  /** All that is left is to say so, and to try again when somebody has written something else. */
  private void freeze() {
    everAccepted = false;
    frozen = true;
    scouts = Set.of();
    convictions.suspect(attribution.suspects(), attribution.evidence());
    attribution.giveUp();
    incidents.end();
    firstEdition = wishes.edition();
    trial = new Trial(wishes.units(), new TreeMap<>(), desired(), time.nanoTime());
    show();
  }

  private void releaseSlowly() {
    if (!wishes.hasSlow()) {
      return;
    }
    long wait = nextRelease - time.nanoTime();
    if (wait > 0) {
      alarm.in(Duration.ofNanos(wait));
      return;
    }
    nextRelease = time.nanoTime() + options.release().toNanos();
    ConfigObject object = wishes.takeSlow();
    if (object != null) {
      begin(List.of(Unit.of(object)));
    }
  }

  // Outside.

  private void show() {
    if (trial == null && first == null && !everAccepted) {
      return; // the first trial shows more than the base, which has nothing in it
    }
    Translation known = first == null ? base.translation() : first;
    Snapshot served = reasons.added(known.snapshot(), holds.all(), this::desired);
    Trial current = trial;
    if (current == null) {
      boolean apart = first != null && canaries.areCold(scouts);
      stage.show(served, apart ? scouts : Set.of(), base.translation().snapshot());
    } else if (current.canaries.isEmpty() || !options.canaries()) {
      Snapshot tried = current.translation.snapshot();
      stage.show(tried, Set.of(), tried);
    } else {
      stage.show(served, Set.copyOf(current.canaries.values()), current.translation.snapshot());
    }
  }

  public void close() {
    closed = true;
    alarm.cancel();
  }

  /** What everybody is served. */
  public Translation baseline() {
    return base.translation();
  }

  /** What would be served if everything was accepted. */
  public Translation desired() {
    return desired.get(trial);
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

  /** Newest first. */
  public List<Incident> incidents() {
    List<Incident> all = allIncidents.past();
    Incident open = incidents.open();
    if (open != null) {
      all.add(0, open);
    }
    return all;
  }

  /** What the search for those to blame has cost since the start. */
  public Totals.Searches searches() {
    return allIncidents.searches();
  }

  // What the other rollouts have to know.

  Base base() {
    return base;
  }

  Holds evidence() {
    return holds;
  }

  /** What is being shown to canaries; null if nothing is. */
  @Nullable Trial trial() {
    return trial;
  }

  /** The incident that goes on; null if none does. */
  @Nullable Incident openIncident() {
    return incidents.open();
  }

  /** Whether there is anything that was accepted: before that, all that is wanted is on trial. */
  public boolean hasEverAccepted() {
    return everAccepted;
  }

  /** Whether there is nothing to try. */
  boolean isIdle() {
    return trial == null
        && !attribution.isUnderWay()
        && wishes.units().isEmpty()
        && !wishes.hasSlow();
  }

  /**
   * Whether proxies may refuse something without that being held against anybody: a Secret that is
   * served. What it was before is not kept, so after a restart the newest is served untried; and
   * whoever refuses it keeps the last one, which concerns nobody but its owner.
   */
  boolean excuses(Resource resource) {
    return everAccepted
        && resource.id().type() == ResourceType.SECRET
        && resource.equals(base.translation().snapshot().get(resource.id()));
  }

  /** Whether what a proxy refused is what everybody is served. */
  boolean refusesBase(Verdict.Refused refused) {
    return everAccepted
        && refused.resource().equals(base.translation().snapshot().get(refused.resource().id()));
  }

  /** Tries once more what was refused by proxies that are gone. */
  void tryWithoutEvidence() {
    for (Hold hold : holds.all()) {
      Certificate certificate = hold.certificate();
      if (certificate != null
          && !stage.counts(certificate)
          && wishes.get(hold.key()) != null
          && !wishes.isPending(hold.key())) {
        wishes.pend(hold.key());
      }
    }
  }
}
