// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.proxyclass;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.fleet.ScoutProbe;
import dev.holdfast.controlplane.rollout.trial.CanaryLosses;
import dev.holdfast.controlplane.rollout.trial.RolloutObserver;
import dev.holdfast.controlplane.rollout.trial.StoredLoss;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Is called, on the loop, with the results of all rollouts and with changes of the classes. */
public interface FleetRolloutObserver extends RolloutObserver, CanaryLosses.Recorder {
  /**
   * What commits replaced is stored like the selection of a class. No class has this name: their
   * parts have no blanks.
   */
  String REPLACED = " replaced";

  /** A class that runs its baseline is connected, or has just disconnected. */
  void seen(String proxyClass, Instant at);

  /** A class was disconnected for long, and is forgotten. */
  void forgotten(String proxyClass);

  /**
   * A class is served another generation of an object than the common baseline has.
   *
   * @param served null if it is served none
   */
  void differs(String proxyClass, ObjectKey key, @Nullable ConfigObject served);

  /** A class is served the same generation of an object as the common baseline has. */
  void agrees(String proxyClass, ObjectKey key);

  /** A proxy refuses what other proxies of its class run. */
  void diverged(DivergedProxy proxy);

  @Override
  default void canaryLost(StoredLoss loss) {}

  @Override
  default void lossForgotten(StoredLoss.Key loss) {}

  /** A class that was new has a say from now on. */
  default void classesChanged() {}

  /** Changes are shown to a scout of a class before a canary from now on, or no longer. */
  default void scouted(String proxyClass, boolean isFirst) {}

  /** A request through a scout told something. */
  default void probed(String node, ScoutProbe.Asked result) {}

  /** A change goes on although no request could be sent through a scout. */
  default void unprobed(String node, String reason) {}

  /** A class has a selection of its own from now on. */
  void separated(String proxyClass, String reason);

  /** A class is served the common baseline again. */
  void rejoined(String proxyClass);
}
