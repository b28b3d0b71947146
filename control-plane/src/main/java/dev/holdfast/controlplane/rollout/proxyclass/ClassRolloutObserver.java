// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.proxyclass;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
import dev.holdfast.controlplane.rollout.hold.Hold;
import dev.holdfast.controlplane.rollout.trial.Rollout;
import java.util.Collection;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Observes a separate rollout: what its class accepts differs from the common baseline. */
public final class ClassRolloutObserver extends ForwardingObserver {
  private final String proxyClass;
  private final Rollout common;
  private final ClassDifferences differences;
  private final Consumer<Collection<ConfigObject>> accepting;

  /**
   * @param accepting is given objects that the baseline is about to take
   */
  public ClassRolloutObserver(
      String proxyClass,
      Rollout common,
      ClassDifferences differences,
      FleetRolloutObserver observer,
      Consumer<Collection<ConfigObject>> accepting) {
    super(observer);
    this.accepting = accepting;
    this.proxyClass = proxyClass;
    this.common = common;
    this.differences = differences;
  }

  @Override
  public void accepting(Collection<ConfigObject> objects, Set<String> voters) {
    accepting.accept(objects);
  }

  @Override
  public void unnoticed(Collection<ConfigObject> objects) {
    accepting.accept(objects);
  }

  @Override
  public void committed(Collection<ConfigObject> objects) {
    for (ConfigObject object : objects) {
      ObjectKey key = object.key();
      differences.compare(proxyClass, key, object, common.selection().get(key));
    }
  }

  @Override
  public void replaced(ObjectKey key, @Nullable ConfigObject before) {
    // The state has one generation of each class.
  }

  @Override
  public void settled(Collection<ObjectKey> keys) {
    // See above.
  }

  @Override
  public void dropped(ObjectKey key) {
    differences.compare(proxyClass, key, null, common.selection().get(key));
    affected(key);
  }

  @Override
  public void evidenceForgotten(Evidence evidence) {
    common.forgetEvidence(evidence);
    super.evidenceForgotten(evidence);
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
