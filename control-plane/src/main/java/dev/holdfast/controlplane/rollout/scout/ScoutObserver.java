// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.scout;

import dev.holdfast.base.Loop;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.rollout.hold.Hold;
import dev.holdfast.controlplane.rollout.search.Incident;
import dev.holdfast.controlplane.rollout.trial.RolloutObserver;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * What the rollout of scouts tells: its searches. What it accepts or holds is news for the common
 * rollout alone, and nothing of it is stored.
 */
final class ScoutObserver implements RolloutObserver {
  private final RolloutObserver observer;
  private final Loop loop;
  private final Runnable decided;

  /**
   * @param decided called when scouts have accepted something, or an object is held or released
   */
  ScoutObserver(RolloutObserver observer, Loop loop, Runnable decided) {
    this.loop = loop;
    this.observer = observer;
    this.decided = decided;
  }

  @Override
  public void trying(Collection<ConfigObject> objects, Collection<String> canaries) {
    observer.trying(objects, canaries);
  }

  @Override
  public void committed(Collection<ConfigObject> objects) {
    decided.run();
  }

  @Override
  public void replaced(ObjectKey key, @Nullable ConfigObject before) {}

  @Override
  public void settled(Collection<ObjectKey> keys) {}

  @Override
  public void undone(Collection<ObjectKey> keys, Verdict.Refused refused) {}

  @Override
  public void dropped(ObjectKey key) {}

  /** Nothing of it has to survive a crash: scouts start again from what the fleet accepted. */
  @Override
  public void whenDurable(Runnable task) {
    loop.execute(task);
  }

  @Override
  public void held(Hold hold) {
    decided.run();
  }

  @Override
  public void released(ObjectKey key) {
    decided.run();
  }

  @Override
  public void affected(ObjectKey key) {}

  @Override
  public void internalError(String what, Throwable error) {
    observer.internalError(what + " for scouts", error);
    decided.run();
  }

  @Override
  public void incident(Incident incident) {
    observer.incident(incident);
  }
}
