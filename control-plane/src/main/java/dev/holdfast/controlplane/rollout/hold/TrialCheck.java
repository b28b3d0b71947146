// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.hold;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.base.Problem;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.extension.ExtensionPolicy;
import dev.holdfast.controlplane.rollout.selection.Baseline;
import dev.holdfast.controlplane.rollout.selection.ObjectReferences;
import dev.holdfast.controlplane.translate.TranslatedObject;
import dev.holdfast.controlplane.translate.Translation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
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
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the changes that would cost traffic or protection, before any proxy sees them. Our own
 * validation judges like a proxy does: what it refuses is held, and what was served stays.
 *
 * <ol>
 *   <li>A change that makes another object invalid which is served is in conflict with it: whoever
 *       is served keeps what it has. This covers a host, a path or a filter that two objects claim,
 *       and a Service or Secret that no longer offers what others use.
 *   <li>An edit with problems that the served generation does not have is invalid.
 *   <li>A new object that cannot be served at all, but might be later without an edit, waits: it
 *       must not begin to be served untried when what it waits for changes.
 *   <li>A proxy whose new policy cannot be applied waits for the policy: it must not be reachable
 *       without it.
 * </ol>
 *
 * <p>Deletions are not judged: what its owner deleted is gone.
 */
final class TrialCheck {
  /** What follows says what would be right, which may change while the problem is the same. */
  private static final String EXPECTED = " (expected: ";

  /** Indices shift when an author inserts a route; the problem is the same one. */
  private static final Pattern INDEX = Pattern.compile("\\[\\d+]");

  private final Baseline baseline;
  private final SortedMap<ObjectKey, ConfigObject> changes;
  private final Translation trial;
  private final HoldTable holds;
  private final SortedMap<ObjectKey, List<LocatedProblem>> invalid = new TreeMap<>();
  private final SortedMap<ObjectKey, Finding> findings = new TreeMap<>();
  private final Map<ObjectKey, Translation> alone = new HashMap<>();

  private TrialCheck(
      Baseline baseline,
      SortedMap<ObjectKey, ConfigObject> changes,
      Translation trial,
      HoldTable holds) {
    this.baseline = baseline;
    this.changes = changes;
    this.trial = trial;
    this.holds = holds;
  }

  /**
   * A change that must not be served now.
   *
   * @param cause the object that it conflicts with or waits for; null if it is bad by itself
   */
  record Finding(
      ConfigObject object, Hold.Reason reason, @Nullable ObjectKey cause, List<String> problems) {}

  /**
   * The changes that must not be served. Without them others may be good, so the rest has to be
   * checked again.
   *
   * @param trial the translation of the baseline with the changes
   */
  static Collection<Finding> check(
      Baseline baseline,
      SortedMap<ObjectKey, ConfigObject> changes,
      Translation trial,
      HoldTable holds) {
    TrialCheck check = new TrialCheck(baseline, changes, trial, holds);
    SortedSet<ObjectKey> displaced = check.compare();
    displaced.forEach(check::findDisplacing);
    if (check.findings.isEmpty()) {
      check.invalid.forEach(check::judge);
      check.findUnguarded();
    }
    return check.findings.values();
  }

  /** Sorts out what is invalid with the changes; gives the objects that were served. */
  private SortedSet<ObjectKey> compare() {
    SortedSet<ObjectKey> displaced = new TreeSet<>();
    PersistentMap.diff(
        baseline.translation().objects(),
        trial.objects(),
        (key, before, after) -> {
          if (after == null || after.isValid()) {
            return;
          }
          if (changes.containsKey(key)) {
            invalid.put(key, after.problems());
          }
          if (before != null && isServed(before) && !added(before, after).isEmpty()) {
            displaced.add(key);
          }
        });
    return displaced;
  }

  private static boolean isServed(TranslatedObject object) {
    return !object.footprint().isEmpty();
  }

  /** The problems of an object that it did not have before. */
  private static List<LocatedProblem> added(
      @Nullable TranslatedObject before, TranslatedObject after) {
    if (before == null) {
      return after.problems();
    }
    Set<Problem> known = new HashSet<>();
    before.problems().forEach(problem -> known.add(core(problem)));
    return after.problems().stream().filter(problem -> !known.contains(core(problem))).toList();
  }

  /** A problem without what may change about it although its author changed nothing. */
  private static Problem core(LocatedProblem located) {
    Problem problem = located.problem();
    int end = problem.message().indexOf(EXPECTED);
    return new Problem(
        INDEX.matcher(problem.path()).replaceAll("[]"),
        problem.kind(),
        end < 0 ? problem.message() : problem.message().substring(0, end));
  }

  /**
   * Finds the changes of other objects that make a served one invalid: each that does so alone. If
   * there is none, an object that did not change is not to blame, and all are.
   */
  private void findDisplacing(ObjectKey displaced) {
    ConfigObject served = baseline.get(displaced);
    if (served == null) {
      return;
    }
    Set<ObjectKey> near = reach(served);
    Set<String> claims = ObjectReferences.of(served).claims();
    List<ConfigObject> candidates = new ArrayList<>();
    for (ConfigObject change : changes.values()) {
      ObjectReferences references = ObjectReferences.of(change);
      boolean related =
          near.contains(change.key())
              || !Collections.disjoint(claims, references.claims())
              || isPolicyBeside(served, change);
      if (related && !change.key().equals(displaced)) {
        candidates.add(change);
      }
    }
    List<ConfigObject> guilty =
        candidates.stream().filter(change -> displaces(change, displaced)).toList();
    boolean changed = changes.containsKey(displaced);
    for (ConfigObject change : guilty.isEmpty() && !changed ? candidates : guilty) {
      List<LocatedProblem> own = invalid.get(change.key());
      findings.putIfAbsent(
          change.key(),
          own == null || ObjectReferences.isReadable(change)
              ? new Finding(change, Hold.Reason.CONFLICT, displaced, List.of(whyNot(displaced)))
              : new Finding(change, Hold.Reason.INVALID, null, texts(own, null)));
    }
  }

  /** Everything that an object refers to, directly or through others. */
  private Set<ObjectKey> reach(ConfigObject object) {
    Set<ObjectKey> seen = new HashSet<>();
    Deque<ConfigObject> open = new ArrayDeque<>(List.of(object));
    for (ConfigObject next = open.poll(); next != null; next = open.poll()) {
      for (ObjectKey target : ObjectReferences.of(next).targets()) {
        ConfigObject referred = seen.add(target) ? baseline.get(target) : null;
        if (referred != null) {
          open.add(referred);
        }
      }
    }
    return seen;
  }

  private static boolean isPolicyBeside(ConfigObject served, ConfigObject change) {
    ObjectKey target = ObjectReferences.policyTarget(served);
    return target != null && target.equals(ObjectReferences.policyTarget(change));
  }

  private boolean displaces(ConfigObject change, ObjectKey displaced) {
    Translation only =
        alone.computeIfAbsent(
            change.key(), key -> baseline.with(new TreeMap<>(Map.of(key, change))));
    TranslatedObject before = baseline.translation().objects().get(displaced);
    TranslatedObject after = only.objects().get(displaced);
    return after != null && !added(before, after).isEmpty();
  }

  private String whyNot(ObjectKey displaced) {
    TranslatedObject before = baseline.translation().objects().get(displaced);
    TranslatedObject after = Objects.requireNonNull(trial.objects().get(displaced));
    return "would make "
        + displaced
        + " invalid, which is served: "
        + added(before, after).get(0).problem()
        + place(displaced);
  }

  private List<String> texts(List<LocatedProblem> problems, @Nullable ObjectKey rival) {
    return problems.stream().map(problem -> problem + place(rival)).toList();
  }

  /** Where the other object of a conflict is written. */
  private String place(@Nullable ObjectKey key) {
    if (key == null) {
      return "";
    }
    ConfigObject served = baseline.get(key);
    ConfigObject other = served == null ? changes.get(key) : served;
    return other == null ? "" : " (" + key + " is at " + other.body().position() + ")";
  }

  private void judge(ObjectKey key, List<LocatedProblem> problems) {
    ConfigObject change = Objects.requireNonNull(changes.get(key));
    TranslatedObject before = baseline.translation().objects().get(key);
    TranslatedObject after = Objects.requireNonNull(trial.objects().get(key));
    boolean wasServed = before != null && (before.isValid() || isServed(before));
    boolean isBad = wasServed ? !added(before, after).isEmpty() : waits(change, after);
    if (isBad) {
      boolean conflict =
          problems.stream().allMatch(each -> each.problem().kind() == Problem.Kind.CONFLICT);
      ObjectKey rival = conflict ? rival(change) : null;
      findings.put(
          key,
          new Finding(
              change,
              conflict ? Hold.Reason.CONFLICT : Hold.Reason.INVALID,
              rival,
              texts(problems, rival)));
    }
  }

  /**
   * Whether a new object is left out until it is good. One that cannot be read is not: it serves
   * nothing until it is edited, and those who refer to it are told that it is not valid.
   */
  private static boolean waits(ConfigObject change, TranslatedObject object) {
    return !isServed(object) && (ObjectReferences.isReadable(change) || isPolicy(change.key()));
  }

  private static boolean isPolicy(ObjectKey key) {
    return key.kind().equals(ExtensionPolicy.KIND);
  }

  /** An object that has what this one claims, rather one that is served; null if there is none. */
  private @Nullable ObjectKey rival(ConfigObject change) {
    for (Translation among : List.of(baseline.translation(), trial)) {
      SortedSet<ObjectKey> rivals = new TreeSet<>();
      for (String host : ObjectReferences.of(change).claims()) {
        rivals.addAll(among.claimants(host));
      }
      ObjectKey target = ObjectReferences.policyTarget(change);
      if (target != null) {
        rivals.addAll(among.policies(target));
      }
      rivals.remove(change.key());
      if (!rivals.isEmpty()) {
        return rivals.first();
      }
    }
    return null;
  }

  /**
   * Finds proxies that would be reachable without a policy which was written for them and has never
   * been in force. One that is served without it already goes on as before.
   */
  private void findUnguarded() {
    for (Finding finding : List.copyOf(findings.values())) {
      ObjectKey policy = finding.object().key();
      ObjectKey target = ObjectReferences.policyTarget(finding.object());
      if (target != null
          && baseline.get(policy) == null
          && (!holds.isHeld(finding.object()) || mustWait(target, policy))) {
        hold(target, policy);
      }
    }
    for (Hold hold : holds.all()) {
      ObjectKey target = hold.served() == 0 ? hold.guards() : null;
      if (target != null && !changes.containsKey(hold.key()) && mustWait(target, hold.key())) {
        hold(target, hold.key());
      }
    }
  }

  private boolean mustWait(ObjectKey target, ObjectKey policy) {
    return baseline.get(target) == null || holds.waits(target, policy);
  }

  private void hold(@Nullable ObjectKey key, ObjectKey cause) {
    ConfigObject change = key == null ? null : changes.get(key);
    if (change != null) {
      findings.putIfAbsent(
          change.key(), new Finding(change, Hold.Reason.DEPENDENCY_REJECTED, cause, List.of()));
    }
  }
}
