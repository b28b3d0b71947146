// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.proxyclass;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.selection.Trial;
import dev.holdfast.controlplane.rollout.trial.Rollout;
import dev.holdfast.controlplane.translate.TranslatedObject;
import dev.holdfast.controlplane.translate.Translation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Makes separate rollouts, and decides where they start. */
public final class ClassRolloutFactory {
  private final Rollout common;
  private final SortedMap<ObjectKey, ConfigObject> live;
  private final ClassDifferences differences;
  private final Translation empty;
  private final BiFunction<String, Translation, Rollout> rollouts;

  /**
   * @param live the desired objects
   * @param empty the translation of no objects
   * @param rollouts makes a rollout for a class that starts from a translation
   */
  public ClassRolloutFactory(
      Rollout common,
      SortedMap<ObjectKey, ConfigObject> live,
      ClassDifferences differences,
      Translation empty,
      BiFunction<String, Translation, Rollout> rollouts) {
    this.common = common;
    this.live = live;
    this.differences = differences;
    this.empty = empty;
    this.rollouts = rollouts;
  }

  /**
   * Forgets differences that are none: the class runs these objects as the common baseline has
   * them, although it took no part in the trial. Objects without any resource do not count:
   * together with what the class has, they may make a difference to it.
   *
   * @param runs whether the class runs an object's resources
   */
  public void forgetDifferencesThatRun(String proxyClass, Predicate<TranslatedObject> runs) {
    for (ObjectKey key : new TreeSet<>(differences.get(proxyClass).keySet())) {
      TranslatedObject served = common.baseline().objects().get(key);
      if (served != null && !served.footprint().isEmpty() && runs.test(served)) {
        ConfigObject object = common.selection().get(key);
        differences.compare(proxyClass, key, object, object);
      }
    }
  }

  /**
   * A rollout that starts from what the class last accepted: the common baseline, except for the
   * differences.
   *
   * @param trial the common trial that the class takes part in; null if there is none
   */
  public ClassRollout fromLastAccepted(String proxyClass, @Nullable Trial trial) {
    SortedMap<ObjectKey, @Nullable ConfigObject> different =
        new TreeMap<>(differences.get(proxyClass));
    List<ConfigObject> served = new ArrayList<>();
    for (ObjectKey key : common.selection().keys()) {
      addIfPresent(different.containsKey(key) ? null : common.selection().get(key), served);
    }
    different.values().forEach(object -> addIfPresent(object, served));
    Rollout rollout = rollouts.apply(proxyClass, common.baseline().with(different));
    rollout.adopt(
        served,
        common.holdTable().evidenceOf(proxyClass),
        trial == null ? null : trial.of(proxyClass));
    SortedMap<ObjectKey, @Nullable ConfigObject> wanted = new TreeMap<>();
    wanted.putAll(live);
    return new ClassRollout(proxyClass, rollout, wanted, new TreeMap<>());
  }

  private static void addIfPresent(@Nullable ConfigObject object, List<ConfigObject> to) {
    if (object != null) {
      to.add(object);
    }
  }

  /** A rollout that starts empty: first the common baseline is tried, then what is pending. */
  public ClassRollout fromNothing(String proxyClass) {
    SortedMap<ObjectKey, @Nullable ConfigObject> now = new TreeMap<>();
    SortedMap<ObjectKey, @Nullable ConfigObject> later = new TreeMap<>();
    for (Map.Entry<ObjectKey, ConfigObject> entry : live.entrySet()) {
      ConfigObject served = common.selection().get(entry.getKey());
      if (!common.hasBaseline()) {
        now.put(entry.getKey(), entry.getValue());
        continue;
      }
      if (served != null) {
        now.put(entry.getKey(), served);
      }
      if (!entry.getValue().equals(served)) {
        later.put(entry.getKey(), entry.getValue());
      }
    }
    Rollout rollout = rollouts.apply(proxyClass, empty);
    rollout.selection().translateLike(common.selection());
    common.holdTable().evidenceOf(proxyClass).forEach(rollout::addEvidence);
    return new ClassRollout(proxyClass, rollout, now, later);
  }
}
