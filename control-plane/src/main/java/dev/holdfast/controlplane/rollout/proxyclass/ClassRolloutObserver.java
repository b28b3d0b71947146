// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.proxyclass;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
import dev.holdfast.controlplane.rollout.hold.Hold;
import dev.holdfast.controlplane.rollout.trial.Rollout;
import java.util.Collection;

/** Watches the rollout of a class that goes its own way: what it accepts is nobody else's. */
public final class ClassRolloutObserver extends ForwardingObserver {
  private final String proxyClass;
  private final Rollout common;
  private final ClassDifferences differences;

  public ClassRolloutObserver(
      String proxyClass,
      Rollout common,
      ClassDifferences differences,
      FleetRolloutObserver observer) {
    super(observer);
    this.proxyClass = proxyClass;
    this.common = common;
    this.differences = differences;
  }

  @Override
  public void committed(Collection<ConfigObject> objects) {
    for (ConfigObject object : objects) {
      ObjectKey key = object.key();
      differences.compare(proxyClass, key, object, common.selection().get(key));
    }
  }

  @Override
  public void dropped(ObjectKey key) {
    differences.compare(proxyClass, key, null, common.selection().get(key));
    affected(key);
  }

  @Override
  public void held(Hold hold) {
    Evidence certificate = hold.certificate();
    if (certificate != null && hold.reason() == Hold.Reason.REJECTED) {
      common.learn(certificate);
    }
    super.held(hold);
  }
}
