// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.report;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.ResourceId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rejection, and how it was found out who is to blame.
 *
 * @param id ascending since the start
 * @param proxyClass those that refused
 * @param resource what was refused first
 * @param message what a proxy said of it, fit to be shown
 * @param changes how many were tried together when it was refused
 * @param pushes how many trials the search has cost
 * @param steps the search, in words, in its order
 * @param culprits those that are to blame, as they were found
 * @param took null as long as it goes on
 */
public record IncidentReport(
    long id,
    Instant at,
    String proxyClass,
    ResourceId resource,
    String message,
    int changes,
    int pushes,
    List<String> steps,
    List<ObjectKey> culprits,
    @Nullable Duration took) {
  public IncidentReport {
    steps = List.copyOf(steps);
    culprits = List.copyOf(culprits);
  }
}
