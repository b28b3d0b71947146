// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.scout;

import dev.holdfast.base.TimeSource;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.selection.Bundle;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Changes that the fleet must not try yet, because scouts have accepted them on top of something
 * else than the fleet is served. Scouts then go back to that, once for each change, and try what is
 * pending again. If that is of no use, the change goes on after a while: nobody waits for ever.
 */
final class Lag {
  private static final Duration LONGEST = Duration.ofSeconds(10);

  private final TimeSource time;

  /** When each change was first kept from the fleet. */
  private final Map<ConfigObject, Long> since = new HashMap<>();

  /** The changes for which scouts have gone back. */
  private final Set<ConfigObject> done = new HashSet<>();

  private boolean isDue;

  Lag(TimeSource time) {
    this.time = time;
  }

  /** Whether a change that scouts have not seen as it would be is to wait for them. */
  boolean waits(Bundle bundle) {
    long now = time.nanoTime();
    boolean waits = false;
    for (ConfigObject object : bundle.objects().values()) {
      isDue |= done.add(object);
      waits |= now - since.computeIfAbsent(object, unused -> now) < LONGEST.toNanos();
    }
    return waits;
  }

  /** Whether scouts have to go back to what the fleet is served. */
  boolean isDue() {
    return isDue;
  }

  void caughtUp() {
    isDue = false;
  }

  /** Some objects changed, or are tried again because somebody asked for it. */
  void forget(Set<ObjectKey> keys) {
    since.keySet().removeIf(object -> keys.contains(object.key()));
    done.removeIf(object -> keys.contains(object.key()));
  }

  void clear() {
    since.clear();
    done.clear();
    isDue = false;
  }
}
