// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import static java.util.Collections.emptySortedMap;
import static java.util.Collections.unmodifiableSortedMap;

import dev.holdfast.base.TimeSource;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.extension.ExtensionPolicy;
import dev.holdfast.controlplane.rollout.fleet.ScoutProbe;
import dev.holdfast.controlplane.rollout.fleet.TrialFleet;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.rollout.selection.Bundle;
import dev.holdfast.controlplane.rollout.selection.BundleBuilder;
import dev.holdfast.controlplane.rollout.selection.Trial;
import dev.holdfast.controlplane.translate.TranslatedObject;
import dev.holdfast.controlplane.translate.Translation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Canaries that died, or fell silent, under a trial, and the changes that they were shown.
 *
 * <p>One loss makes the changes of a trial suspects. They are tried again on another proxy of the
 * class: first together those that Holdfast translates itself, then one by one those that an author
 * gave to the proxy as they are. A second loss convicts, so that no change costs a class more than
 * two proxies. A loss is stored before its changes may cost another one.
 *
 * <p>A proxy may as well go for reasons of its own. A loss does not count if the proxy is back and
 * still runs what it ran, or if it answered late. Losses at moments when many left at once convict
 * only together with one that was alone. That shows only after a moment, in which the suspects wait
 * and everything else goes on. Scouts try them again at once; only the conviction waits.
 */
final class LostCanaries {
  /** After which it is known whether a proxy left alone. */
  private static final Duration MOMENT = Duration.ofSeconds(2);

  /** How long suspects wait for a proxy of the class that can try them a second time. */
  private static final Duration WAIT_FOR_A_SECOND = Duration.ofSeconds(12);

  /** How long after the begin of a trial that has cost a canary another one may go of it. */
  private static final Duration AFTER_A_LOSS = Duration.ofSeconds(12);

  /** The same where nobody is served, and nothing is final: see {@link #isReviewed}. */
  private static final Duration WAIT_FOR_A_SCOUT = Duration.ofSeconds(4);

  /** How long other classes do not go on with what killed the last proxy of a class. */
  private static final Duration WAIT_FOR_THE_CLASS = Duration.ofSeconds(60);

  private static final int CONVICTING = 2;

  /** How often many may leave together with a canary of the same change. */
  private static final int MOST_DOUBTS = 5;

  /**
   * What convicts an object: the losses of one class.
   *
   * @param ends how their processes ended, of those of which somebody knows
   * @param isProvisional whether it is tried again as soon as somebody is there who can
   */
  record Conviction(
      Bundle bundle,
      List<CanaryLosses.Loss> losses,
      Map<CanaryLosses.Loss, ScoutProbe.ProcessEnd> ends,
      boolean isProvisional) {
    Conviction(Bundle bundle, List<CanaryLosses.Loss> losses) {
      this(bundle, losses, Map.of(), /* isProvisional= */ false);
    }

    /** Whether all fell silent: a process that was ended for that has not died of a change. */
    boolean isSilence() {
      return losses.stream().allMatch(this::isSilent);
    }

    private boolean isSilent(CanaryLosses.Loss loss) {
      ScoutProbe.ProcessEnd end = ends.get(loss);
      return end == null ? loss.isSilent() : end.hung();
    }

    String proxyClass() {
      return losses.get(0).proxyClass();
    }

    /** Whether something in it reaches proxies as its author wrote it. */
    boolean isGiven() {
      return LostCanaries.isGiven(bundle);
    }

    /**
     * Policies, which proxies get as they are; if there are none, all that proxies get. What none
     * of those that were lost was shown is not among them: a search tries a bundle bit by bit.
     */
    List<ConfigObject> offenders(Translation tried) {
      List<ConfigObject> all =
          bundle.objects().values().stream()
              .filter(object -> losses.stream().anyMatch(loss -> loss.concerns(object)))
              .filter(object -> isSeen(object.key(), tried))
              .toList();
      List<ConfigObject> policies = all.stream().filter(object -> isPolicy(object.key())).toList();
      return policies.isEmpty() ? all : policies;
    }

    private static boolean isSeen(ObjectKey key, Translation tried) {
      TranslatedObject object = tried.objects().get(key);
      return object != null && !object.footprint().isEmpty();
    }

    /** What happened, in words. */
    String text(int suspects) {
      List<String> each = new ArrayList<>();
      for (CanaryLosses.Loss loss : losses) {
        ScoutProbe.ProcessEnd end = ends.get(loss);
        each.add(
            (loss.isSilent()
                    ? loss.node() + " has not answered since it received it"
                    : "%s went away %.1f s after it received it"
                        .formatted(loss.node(), (loss.at() - loss.began()) / 1e9))
                + (end == null ? "" : " (" + end.text() + ")"));
      }
      return String.join(", ", each)
          + (suspects == 1 ? "" : "; one of " + suspects + " changes that belong together");
    }
  }

  private final TrialFleet fleet;
  private final TimeSource time;
  private final CanaryLosses losses;
  private final Predicate<ObjectKey> isServed;
  private final Function<ObjectKey, @Nullable ConfigObject> desired;
  private final boolean isForScouts;
  private @Nullable Trial lastLost;
  private long lastLostNumber;
  private @Nullable Trial numbered;
  private long number;

  /** What the numbered trial showed: all canaries that it loses share this. */
  private SortedMap<ObjectKey, Long> generations = emptySortedMap();

  /**
   * @param isServed whether some generation of an object is served
   * @param desired gives the newest generation of an object, null if there is none
   * @param isForScouts whether the proxies serve nobody
   */
  LostCanaries(
      TrialFleet fleet,
      TimeSource time,
      CanaryLosses losses,
      Predicate<ObjectKey> isServed,
      Function<ObjectKey, @Nullable ConfigObject> desired,
      boolean isForScouts) {
    this.desired = desired;
    this.isForScouts = isForScouts;
    this.losses = losses;
    this.isServed = isServed;
    this.fleet = fleet;
    this.time = time;
  }

  /** A canary was lost; it counts once. */
  void add(String node, boolean isSilent, Trial trial) {
    lastLost = trial;
    lastLostNumber = number(trial);
    if (losses.hasLost(node, lastLostNumber)) {
      return;
    }
    add(node, trial.classOf(node), isSilent, trial, trial.nodes(), /* cold= */ false);
  }

  /**
   * A proxy left: it may be a canary of the trial that is under way, whatever other canaries say,
   * or of one that has ended with a loss.
   */
  void left(String node, @Nullable Trial current) {
    Trial last = lastLost;
    Trial trial = null;
    if (current != null && current.nodes().contains(node)) {
      trial = current;
    } else if (last != null
        && last.nodes().contains(node)
        && time.nanoTime() - last.began() < AFTER_A_LOSS.toNanos()
        && !losses.hasLost(node, lastLostNumber)) {
      trial = last;
    }
    if (trial != null && !fleet.wasPassing(node, trial.began())) {
      add(node, /* isSilent= */ false, trial);
    }
  }

  /** A proxy left that was shown everything, as all others were. */
  void addCold(String node, String proxyClass, Trial everything) {
    if (fleet.wasPassing(node, everything.began())) {
      return;
    }
    Set<String> shown = new HashSet<>();
    shown.add(node);
    fleet.candidates().forEach(candidate -> shown.add(candidate.node()));
    losses.all().forEach(loss -> shown.add(loss.node()));
    add(node, proxyClass, /* isSilent= */ false, everything, shown, /* cold= */ true);
  }

  private void add(
      String node,
      String proxyClass,
      boolean isSilent,
      Trial trial,
      Collection<String> canaries,
      boolean cold) {
    long now = time.nanoTime();
    long trialNumber = number(trial);
    losses.add(
        new CanaryLosses.Loss(
            node,
            proxyClass,
            isSilent,
            generations,
            List.copyOf(canaries),
            cold,
            trialNumber,
            trial.began(),
            now,
            /* isDeath= */ false,
            /* isAlone= */ false,
            /* isRestored= */ false));
  }

  private static SortedMap<ObjectKey, Long> generations(Trial trial) {
    SortedMap<ObjectKey, Long> generations = new TreeMap<>();
    trial.objects().forEach((key, object) -> generations.put(key, object.generation()));
    return unmodifiableSortedMap(generations);
  }

  @SuppressWarnings("ReferenceEquality") // two trials of the same changes are two trials
  private long number(Trial trial) {
    if (numbered != trial) {
      numbered = trial;
      number = losses.newTrial();
      generations = generations(trial);
    }
    return number;
  }

  /**
   * Some changes without those that proxies get as authors wrote them, and that may have killed one
   * at a cold start. They are tried when there is a baseline.
   */
  List<Bundle> withoutDeadly(List<Bundle> bundles) {
    excuse();
    return losses.isEmpty()
        ? bundles
        : bundles.stream().filter(bundle -> !isGiven(bundle) || against(bundle).isEmpty()).toList();
  }

  private static boolean isGiven(Bundle bundle) {
    return bundle.objects().keySet().stream().anyMatch(LostCanaries::isPolicy);
  }

  private static boolean isPolicy(ObjectKey key) {
    return key.kind().equals(ExtensionPolicy.KIND);
  }

  /** What to try next of some changes; empty if they have to wait. */
  List<Bundle> next(List<Bundle> bundles) {
    excuse();
    if (losses.isEmpty()) {
      return bundles;
    }
    List<Bundle> clean = new ArrayList<>();
    List<Bundle> translated = new ArrayList<>();
    List<Bundle> given = new ArrayList<>();
    for (Bundle bundle : bundles) {
      List<CanaryLosses.Loss> against = against(bundle);
      if (against.isEmpty()) {
        clean.add(bundle);
      } else if (mayCostAnother(against)) {
        (isGiven(bundle) ? given : translated).add(bundle);
      }
    }
    if (!clean.isEmpty()) {
      return clean;
    }
    if (translated.isEmpty() && !given.isEmpty()) {
      return firstOf(given.get(0));
    }
    return isForScouts ? half(translated) : translated;
  }

  /**
   * Whether what some were lost to may be tried again: not before it is known whether they left
   * alone, unless it was one that served nobody.
   */
  private boolean mayCostAnother(List<CanaryLosses.Loss> against) {
    boolean isCheap = isForScouts && against.stream().allMatch(loss -> isFirst(loss, against));
    return against.stream().allMatch(loss -> (isCheap || isOld(loss)) && losses.isDurable(loss));
  }

  /**
   * Where a loss costs nothing, the change that is to blame is searched for: half of what the
   * smallest trial showed that cost one.
   */
  private List<Bundle> half(List<Bundle> suspects) {
    List<Bundle> fewest = suspects;
    for (CanaryLosses.Loss loss : losses.all()) {
      List<Bundle> shown =
          suspects.stream()
              .filter(bundle -> bundle.objects().values().stream().anyMatch(loss::concerns))
              .toList();
      fewest = !shown.isEmpty() && shown.size() < fewest.size() ? shown : fewest;
    }
    return fewest.size() < 2 ? fewest : fewest.subList(0, fewest.size() / 2);
  }

  /**
   * What is tried first of a bundle in which authors gave something to proxies as it is: if there
   * are several of that, one of them at a time, so that the next loss tells which it was.
   */
  private List<Bundle> firstOf(Bundle bundle) {
    List<Bundle> first = new ArrayList<>();
    for (Bundle unit : units(bundle)) {
      if (isGiven(unit)) {
        return first.isEmpty() ? List.of(unit) : first;
      }
      first.add(unit);
    }
    return first;
  }

  /** The parts of a bundle that can be blamed one by one. */
  private List<Bundle> units(Bundle bundle) {
    long policies = bundle.objects().keySet().stream().filter(LostCanaries::isPolicy).count();
    return policies < 2 ? List.of(bundle) : BundleBuilder.apart(bundle, isServed);
  }

  /** The nodes that were lost under some changes. */
  Set<String> nodes(Collection<Bundle> bundles) {
    Set<String> nodes = new HashSet<>();
    bundles.forEach(bundle -> against(bundle).forEach(loss -> nodes.add(loss.node())));
    return nodes;
  }

  /**
   * The classes of which proxies went away under some changes, and without which these are not
   * tried: what others accept would be what the class is served when it is back.
   */
  Set<String> classes(Collection<Bundle> bundles) {
    Set<String> classes = new HashSet<>();
    for (Bundle bundle : bundles) {
      for (CanaryLosses.Loss loss : against(bundle)) {
        if (!loss.isSilent() && !isOlder(loss, WAIT_FOR_THE_CLASS)) {
          classes.add(loss.proxyClass());
        }
      }
    }
    return classes;
  }

  /** The next of some changes that is convicted; null if none is. */
  @Nullable Conviction convicted(List<Bundle> bundles) {
    excuse();
    for (Bundle bundle : bundles) {
      if (against(bundle).isEmpty()) {
        continue;
      }
      for (Bundle unit : units(bundle)) {
        Conviction found = convicted(unit);
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }

  private @Nullable Conviction convicted(Bundle bundle) {
    List<CanaryLosses.Loss> against = against(bundle);
    for (CanaryLosses.Loss loss : against) {
      List<CanaryLosses.Loss> same =
          against.stream()
              .filter(other -> other.proxyClass().equals(loss.proxyClass()) && isOld(other))
              .toList();
      boolean nobodyElse =
          same.size() == 1
              && (isForScouts
                  ? isOfPolicy(loss, bundle) && isOlder(loss, WAIT_FOR_A_SCOUT)
                  // who is gone will be back, or another one will come
                  : loss.isSilent() && isOlder(loss, WAIT_FOR_A_SECOND))
              && !hasVoter(loss);
      long lost = same.stream().map(CanaryLosses.Loss::occasion).distinct().count();
      boolean certain =
          lost > MOST_DOUBTS
              || !same.stream()
                  .allMatch(each -> isWithOthers(each) || isOfAGonePolicy(each, bundle));
      boolean known = !isForScouts || same.stream().anyMatch(other -> isOfAlone(other, bundle));
      if ((lost >= CONVICTING && certain && known) || nobodyElse) {
        return new Conviction(bundle, same, ends(same), isForScouts && lost < CONVICTING);
      }
    }
    return null;
  }

  private Map<CanaryLosses.Loss, ScoutProbe.ProcessEnd> ends(List<CanaryLosses.Loss> some) {
    Map<CanaryLosses.Loss, ScoutProbe.ProcessEnd> ends = new HashMap<>();
    for (CanaryLosses.Loss loss : some) {
      ScoutProbe.ProcessEnd end = fleet.end(loss.node(), loss.at());
      if (end != null) {
        ends.put(loss, end);
      }
    }
    return ends;
  }

  /**
   * Whether a loss may be the deed of a policy that came with a bundle, and that its author has
   * mended or deleted since: that cannot be tried any more, and is more likely than what Holdfast
   * translates itself.
   */
  private boolean isOfAGonePolicy(CanaryLosses.Loss loss, Bundle bundle) {
    return bundle.objects().values().stream()
            .noneMatch(object -> isPolicy(object.key()) && loss.concerns(object))
        && loss.shown().entrySet().stream()
            .anyMatch(
                each -> {
                  ConfigObject newest =
                      isPolicy(each.getKey()) ? desired.apply(each.getKey()) : null;
                  return isPolicy(each.getKey())
                      && (newest == null || newest.generation() != each.getValue());
                });
  }

  /**
   * Whether a loss can have no other cause than one bundle, of what is still suspected: what has
   * been edited since then may have been the cause as well.
   */
  private static boolean isOfAlone(CanaryLosses.Loss loss, Bundle bundle) {
    return loss.shown().size() == bundle.objects().values().stream().filter(loss::concerns).count();
  }

  /** Whether a policy of a bundle was among what a canary was shown that was lost. */
  private static boolean isOfPolicy(CanaryLosses.Loss loss, Bundle bundle) {
    return bundle.objects().values().stream()
        .anyMatch(object -> isPolicy(object.key()) && loss.concerns(object));
  }

  private boolean hasVoter(CanaryLosses.Loss loss) {
    return fleet.candidates().stream()
        .anyMatch(
            candidate -> candidate.proxyClass().equals(loss.proxyClass()) && candidate.settled());
  }

  /** Whether losses that convicted an object turned out not to count, or too few to be sure. */
  boolean isAcquitted(ConfigObject object) {
    List<CanaryLosses.Loss> against =
        losses.all().stream().filter(loss -> loss.concerns(object)).toList();
    return against.isEmpty() || isReviewed(against);
  }

  /**
   * Whether a scout of each class is there that can try again what one was lost to: that costs
   * nobody anything, and the first may have left for another reason. A class that has none yet
   * still convicts.
   */
  private boolean isReviewed(List<CanaryLosses.Loss> against) {
    return isForScouts
        && against.stream().allMatch(loss -> hasVoter(loss) && isFirst(loss, against));
  }

  private static boolean isFirst(CanaryLosses.Loss loss, List<CanaryLosses.Loss> against) {
    return against.stream()
            .filter(other -> other.proxyClass().equals(loss.proxyClass()))
            .map(CanaryLosses.Loss::occasion)
            .distinct()
            .count()
        < CONVICTING;
  }

  /** When a proxy was last lost under an object; null if none was. */
  @Nullable Long lastLoss(ConfigObject object) {
    Long last = null;
    for (CanaryLosses.Loss loss : losses.all()) {
      last = loss.concerns(object) ? Long.valueOf(loss.at()) : last;
    }
    return last;
  }

  /** Removes losses that do not count. */
  void excuse() {
    if (!losses.isEmpty()) {
      losses.excuse(this::isExcused);
      losses.confirm(this::isBackWithNothing);
      losses.alone(loss -> isOld(loss) && !isWithOthers(loss));
    }
  }

  /** Whether a canary that was gone is back, and runs what it was given since then. */
  private boolean isBackWithNothing(CanaryLosses.Loss loss) {
    return !loss.isSilent() && fleet.verdict(loss.node()).kind() == Verdict.Kind.ACCEPTED;
  }

  private boolean isExcused(CanaryLosses.Loss loss) {
    return !loss.isDeath() && fleet.isAlive(loss.node(), loss.isSilent());
  }

  /**
   * Whether many others left at the same time that were not shown any of the same changes, and did
   * not try something else just then.
   */
  private boolean isWithOthers(CanaryLosses.Loss loss) {
    if (loss.isRestored()) {
      return !loss.isAlone() && !loss.isSilent();
    }
    Set<String> shown = new HashSet<>(loss.canaries());
    for (CanaryLosses.Loss other : losses.all()) {
      if (loss.sharesChange(other)) {
        shown.addAll(other.canaries());
      }
    }
    shown.addAll(losses.around(loss.at(), MOMENT));
    return !loss.isSilent() && fleet.leftWithOthers(loss.at(), shown);
  }

  private boolean isOld(CanaryLosses.Loss loss) {
    return isOlder(loss, MOMENT);
  }

  private boolean isOlder(CanaryLosses.Loss loss, Duration age) {
    return time.nanoTime() - loss.at() >= age.toNanos();
  }

  private List<CanaryLosses.Loss> against(Bundle bundle) {
    return losses.all().stream()
        .filter(loss -> bundle.objects().values().stream().anyMatch(loss::concerns))
        .toList();
  }

  private List<Duration> dues() {
    return isForScouts
        ? List.of(MOMENT, WAIT_FOR_A_SCOUT)
        : List.of(MOMENT, WAIT_FOR_A_SECOND, WAIT_FOR_THE_CLASS);
  }

  /** When to look again at some changes; zero if only an event can help. */
  Duration wakeUp(List<Bundle> bundles) {
    long now = time.nanoTime();
    long first = Long.MAX_VALUE;
    for (Bundle bundle : bundles) {
      for (CanaryLosses.Loss loss : against(bundle)) {
        for (Duration due : dues()) {
          long left = due.toNanos() - (now - loss.at());
          if (left > 0) {
            first = Math.min(first, left);
          }
        }
      }
    }
    return first == Long.MAX_VALUE ? Duration.ZERO : Duration.ofNanos(first);
  }
}
