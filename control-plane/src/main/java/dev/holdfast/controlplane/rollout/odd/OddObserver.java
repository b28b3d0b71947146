// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.odd;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.rollout.hold.Hold;
import dev.holdfast.controlplane.rollout.search.Incident;
import dev.holdfast.controlplane.rollout.trial.RolloutObserver;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Observes the rollout of one odd proxy. What it accepts or refuses is nobody else's business: it
 * is no news for authors, and no incident.
 */
final class OddObserver implements RolloutObserver {
  private final RolloutObserver observer;

  OddObserver(RolloutObserver observer) {
    this.observer = observer;
  }

  @Override
  public void committed(Collection<ConfigObject> objects) {}

  @Override
  public void replaced(ObjectKey key, @Nullable ConfigObject before) {}

  @Override
  public void settled(Collection<ObjectKey> keys) {}

  @Override
  public void undone(Collection<ObjectKey> keys, Verdict.Refused refused) {}

  @Override
  public void dropped(ObjectKey key) {}

  @Override
  public void whenDurable(Runnable task) {
    observer.whenDurable(task);
  }

  @Override
  public void held(Hold hold) {}

  @Override
  public void released(ObjectKey key) {}

  @Override
  public void affected(ObjectKey key) {
    observer.affected(key);
  }

  @Override
  public void internalError(String what, Throwable error) {
    observer.internalError(what, error);
  }

  @Override
  public void incident(Incident incident) {}
}
