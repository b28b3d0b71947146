// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.ResourceId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rejection, and what came of it.
 *
 * @param resource what was refused first
 * @param message what the proxy said, fit to be shown
 * @param units how many changes were under suspicion
 * @param pushes how many trials it has cost
 * @param steps the trials, in words, in their order
 * @param culprits those that are held because of it
 * @param took null as long as it goes on
 */
public record Incident(
    long id,
    Instant at,
    String proxyClass,
    ResourceId resource,
    String message,
    int units,
    int pushes,
    List<String> steps,
    List<ObjectKey> culprits,
    @Nullable Duration took) {
  public Incident {
    steps = List.copyOf(steps);
    culprits = List.copyOf(culprits);
  }
}
