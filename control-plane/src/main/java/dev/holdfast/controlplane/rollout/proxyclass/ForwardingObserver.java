// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.proxyclass;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.rollout.hold.Hold;
import dev.holdfast.controlplane.rollout.search.Incident;
import dev.holdfast.controlplane.rollout.trial.RolloutObserver;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Forwards everything except the steps before a commit, which subclasses handle. */
public class ForwardingObserver implements RolloutObserver {
  private final RolloutObserver observer;

  public ForwardingObserver(RolloutObserver observer) {
    this.observer = observer;
  }

  @Override
  public void trying(Collection<ConfigObject> objects, Collection<String> canaries) {
    observer.trying(objects, canaries);
  }

  @Override
  public void committed(Collection<ConfigObject> objects) {
    observer.committed(objects);
  }

  @Override
  public void replaced(ObjectKey key, @Nullable ConfigObject before) {
    observer.replaced(key, before);
  }

  @Override
  public void settled(Collection<ObjectKey> keys) {
    observer.settled(keys);
  }

  @Override
  public void undone(Collection<ObjectKey> keys, Verdict.Refused refused) {
    observer.undone(keys, refused);
  }

  @Override
  public void dropped(ObjectKey key) {
    observer.dropped(key);
  }

  @Override
  public void evidenceForgotten(Evidence evidence) {
    observer.evidenceForgotten(evidence);
  }

  @Override
  public void whenDurable(Runnable task) {
    observer.whenDurable(task);
  }

  @Override
  public void held(Hold hold) {
    observer.held(hold);
  }

  @Override
  public void released(ObjectKey key) {
    observer.released(key);
  }

  @Override
  public void affected(ObjectKey key) {
    observer.affected(key);
  }

  @Override
  public void internalError(String what, Throwable error) {
    observer.internalError(what, error);
  }

  @Override
  public void incident(Incident incident) {
    observer.incident(incident);
  }
}
