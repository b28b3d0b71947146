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

/** Where classes of proxies begin that go their own way. */
public final class ClassRolloutFactory {
  private final Rollout common;
  private final SortedMap<ObjectKey, ConfigObject> live;
  private final ClassDifferences differences;
  private final Translation empty;
  private final BiFunction<String, Translation, Rollout> rollouts;

  /**
   * @param live what authors want
   * @param empty the translation of no objects
   * @param rollouts makes one for a class, from a translation
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
   * Of what a class was not asked about, it may have accepted a part all the same. What became of
   * no consequence to others it has not: with what the class has, it may be of some.
   *
   * @param runs whether it runs what an object became
   */
  public void forgetWhatItRuns(String proxyClass, Predicate<TranslatedObject> runs) {
    for (ObjectKey key : new TreeSet<>(differences.get(proxyClass).keySet())) {
      TranslatedObject served = common.baseline().objects().get(key);
      if (served != null && !served.footprint().isEmpty() && runs.test(served)) {
        ConfigObject object = common.selection().get(key);
        differences.compare(proxyClass, key, object, object);
      }
    }
  }

  /**
   * From what the class last accepted: what all others are served, but for the differences.
   *
   * @param trial what it was trying with others; null if nothing
   */
  public ClassRollout whereItWas(String proxyClass, @Nullable Trial trial) {
    SortedMap<ObjectKey, @Nullable ConfigObject> different =
        new TreeMap<>(differences.get(proxyClass));
    List<ConfigObject> served = new ArrayList<>();
    for (ObjectKey key : common.selection().keys()) {
      addIfAny(different.containsKey(key) ? null : common.selection().get(key), served);
    }
    different.values().forEach(object -> addIfAny(object, served));
    Rollout rollout = rollouts.apply(proxyClass, common.baseline().with(different));
    rollout.adopt(
        served,
        common.evidence().evidenceOf(proxyClass),
        trial == null ? null : trial.of(proxyClass));
    SortedMap<ObjectKey, @Nullable ConfigObject> wanted = new TreeMap<>();
    wanted.putAll(live);
    return new ClassRollout(proxyClass, rollout, wanted, new TreeMap<>());
  }

  private static void addIfAny(@Nullable ConfigObject object, List<ConfigObject> to) {
    if (object != null) {
      to.add(object);
    }
  }

  /** From nothing: first what all others are served, then what they are not served either. */
  public ClassRollout withNothing(String proxyClass) {
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
    common.evidence().evidenceOf(proxyClass).forEach(rollout::learn);
    return new ClassRollout(proxyClass, rollout, now, later);
  }
}
