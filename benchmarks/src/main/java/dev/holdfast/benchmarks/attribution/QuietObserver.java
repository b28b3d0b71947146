// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.attribution;

import dev.holdfast.base.Loop;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.hold.Hold;
import dev.holdfast.controlplane.rollout.search.Incident;
import dev.holdfast.controlplane.rollout.trial.RolloutObserver;
import java.util.Collection;

/** Wants to know nothing of a rollout, and has a disk that is always fast enough. */
record QuietObserver(Loop loop) implements RolloutObserver {
  @Override
  public void whenDurable(Runnable task) {
    loop.execute(task);
  }

  @Override
  public void committed(Collection<ConfigObject> objects) {}

  @Override
  public void dropped(ObjectKey key) {}

  @Override
  public void held(Hold hold) {}

  @Override
  public void released(ObjectKey key) {}

  @Override
  public void affected(ObjectKey key) {}

  @Override
  public void incident(Incident incident) {}

  @Override
  public void internalError(String what, Throwable error) {
    throw new IllegalStateException("a bug in what is measured, while " + what, error);
  }
}
