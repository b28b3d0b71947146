// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.scout;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.hold.Hold;
import dev.holdfast.controlplane.rollout.selection.Bundle;
import dev.holdfast.controlplane.rollout.trial.Rollout;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A bundle, by what scouts make of its objects. The fleet follows them: first it tries what they
 * serve together, so that it has the same to go on from, and what they could not even try shows to
 * be invalid, or in conflict, there as well.
 *
 * @param accepted what scouts serve; null if that is nothing
 * @param rest what they refuse, and what they hold without having tried it; null if that is nothing
 * @param isRefused whether a proxy has refused a part of the rest
 */
record Parts(@Nullable Bundle accepted, @Nullable Bundle rest, boolean isRefused) {
  static Parts of(Bundle bundle, Rollout scouts) {
    SortedMap<ObjectKey, ConfigObject> accepted = new TreeMap<>();
    SortedMap<ObjectKey, ConfigObject> rest = new TreeMap<>();
    boolean isRefused = false;
    for (ConfigObject object : bundle.objects().values()) {
      boolean isServed = scouts.served(object.key()) == object.generation();
      (isServed ? accepted : rest).put(object.key(), object);
      isRefused |= !isServed && isRefused(object, scouts);
    }
    return new Parts(bundle(accepted), bundle(rest), isRefused);
  }

  private static @Nullable Bundle bundle(SortedMap<ObjectKey, ConfigObject> objects) {
    return objects.isEmpty() ? null : new Bundle(objects);
  }

  /** Whether scouts have been shown an object, and hold it because one refused that. */
  static boolean isRefused(ConfigObject object, Rollout scouts) {
    Hold hold = scouts.hold(object.key());
    return hold != null
        && hold.generation() == object.generation()
        && switch (hold.reason()) {
          case REJECTED, ATTRIBUTION_PENDING -> true;
          case CONFLICT -> hold.evidence() != null;
          case PROBE_FAILED, PROXY_DIED, PROXY_HUNG, INVALID, DEPENDENCY_REJECTED -> false;
        };
  }
}
