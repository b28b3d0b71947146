// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.proxyclass;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
import dev.holdfast.controlplane.rollout.hold.Hold;
import dev.holdfast.controlplane.rollout.trial.Rollout;
import java.util.Collection;

/** Observes a separate rollout: what its class accepts differs from the common baseline. */
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
    Evidence evidence = hold.evidence();
    if (evidence != null && hold.reason().isProven()) {
      common.addEvidence(evidence);
    }
    super.held(hold);
  }
}
