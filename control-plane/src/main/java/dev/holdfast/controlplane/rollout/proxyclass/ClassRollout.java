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

/** A class of proxies that goes its own way. */
public final class ClassRollout {
  public final String proxyClass;
  public final Rollout rollout;

  /** What is to be tried once it is known what of the others' selection the class accepts. */
  private final SortedMap<ObjectKey, @Nullable ConfigObject> later;

  private final SortedMap<ObjectKey, @Nullable ConfigObject> first;

  /** Whether that is not known yet. */
  private boolean searching;

  private @Nullable Translation lastOwn;
  private @Nullable Translation lastCommon;

  /**
   * @param first the objects that are tried at once
   * @param later those that are tried when it is known what is good of the first
   */
  ClassRollout(
      String proxyClass,
      Rollout rollout,
      SortedMap<ObjectKey, @Nullable ConfigObject> first,
      SortedMap<ObjectKey, @Nullable ConfigObject> later) {
    this.proxyClass = proxyClass;
    this.rollout = rollout;
    this.first = first;
    this.later = new TreeMap<>(later);
    this.searching = !rollout.hasBaseline();
  }

  public void begin() {
    rollout.change(new TreeMap<>(first));
    first.clear();
  }

  public void change(SortedMap<ObjectKey, @Nullable ConfigObject> changes) {
    later.keySet().removeAll(changes.keySet());
    rollout.change(changes);
  }

  /** Goes on with what had to wait; false if nothing had to, or it has to wait longer. */
  public boolean goOn() {
    if (!rollout.isIdle() || !rollout.hasBaseline()) {
      return false;
    }
    searching = false;
    if (later.isEmpty()) {
      return false;
    }
    SortedMap<ObjectKey, @Nullable ConfigObject> due = new TreeMap<>(later);
    later.clear();
    rollout.change(due);
    return true;
  }

  /** Whether it is not known yet what the class accepts. */
  public boolean isSearching() {
    return searching;
  }

  /** Whether the class wants nothing but what it has, or what all others have to wait for too. */
  public boolean isContent(Rollout common) {
    return rollout.isIdle()
        && rollout.hasBaseline()
        && later.isEmpty()
        && rollout.holds().stream()
            .allMatch(
                hold -> {
                  Hold theirs = common.hold(hold.key());
                  return theirs != null && theirs.generation() == hold.generation();
                });
  }

  /** Whether one of the two is served something else than when this was last asked. */
  public boolean isNews(Rollout common) {
    boolean news = rollout.baseline() != lastOwn || common.baseline() != lastCommon;
    lastOwn = rollout.baseline();
    lastCommon = common.baseline();
    return news;
  }
}
