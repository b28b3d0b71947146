// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.proxyclass;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.hold.Hold;
import dev.holdfast.controlplane.rollout.trial.Rollout;
import dev.holdfast.controlplane.translate.Translation;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The separate rollout of one class of proxies. */
public final class ClassRollout {
  public final String proxyClass;
  public final Rollout rollout;

  /** Changes to try once it is known which part of the common selection the class accepts. */
  private final SortedMap<ObjectKey, @Nullable ConfigObject> deferred;

  private final SortedMap<ObjectKey, @Nullable ConfigObject> first;

  /** Changes that the rollout has not been told of. */
  private final SortedMap<ObjectKey, @Nullable ConfigObject> unseen = new TreeMap<>();

  /** Whether it is not known yet which part of the common selection the class accepts. */
  private boolean searching;

  private @Nullable Translation lastOwn;
  private @Nullable Translation lastCommon;

  /**
   * @param first the objects that are tried at once
   * @param deferred the objects that are tried when the first ones are settled
   */
  ClassRollout(
      String proxyClass,
      Rollout rollout,
      SortedMap<ObjectKey, @Nullable ConfigObject> first,
      SortedMap<ObjectKey, @Nullable ConfigObject> deferred) {
    this.proxyClass = proxyClass;
    this.rollout = rollout;
    this.first = first;
    this.deferred = new TreeMap<>(deferred);
    this.searching = !rollout.hasBaseline();
  }

  public void begin() {
    rollout.change(new TreeMap<>(first));
    first.clear();
  }

  /** Objects changed; the rollout learns of it with {@link #update}. */
  public void change(SortedMap<ObjectKey, @Nullable ConfigObject> changes) {
    unseen.putAll(changes);
  }

  /** Tells the rollout what has changed. */
  public void update() {
    if (!unseen.isEmpty()) {
      SortedMap<ObjectKey, @Nullable ConfigObject> changes = new TreeMap<>(unseen);
      unseen.clear();
      deferred.keySet().removeAll(changes.keySet());
      rollout.change(changes);
    }
  }

  /** Whether the rollout knows all changes. */
  public boolean isUpToDate() {
    return unseen.isEmpty();
  }

  /** Starts the deferred changes if it is time; false if there are none, or it is not. */
  public boolean startDeferred() {
    if (!rollout.isIdle() || !rollout.hasBaseline()) {
      return false;
    }
    searching = false;
    if (deferred.isEmpty()) {
      return false;
    }
    SortedMap<ObjectKey, @Nullable ConfigObject> due = new TreeMap<>(deferred);
    deferred.clear();
    rollout.change(due);
    return true;
  }

  public boolean isSearching() {
    return searching;
  }

  /** Whether the class lacks nothing that the common rollout serves. */
  public boolean agreesWith(Rollout common) {
    return rollout.isIdle()
        && rollout.hasBaseline()
        && deferred.isEmpty()
        && rollout.holds().stream()
            .allMatch(
                hold -> {
                  Hold other = common.hold(hold.key());
                  return other != null && other.generation() == hold.generation();
                });
  }

  /** Whether one of the two baselines changed since the last call. */
  public boolean isBaselineChanged(Rollout common) {
    boolean changed = rollout.baseline() != lastOwn || common.baseline() != lastCommon;
    lastOwn = rollout.baseline();
    lastCommon = common.baseline();
    return changed;
  }
}
