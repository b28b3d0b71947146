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
 * @param id ascending, also across restarts
 * @param proxyClass those that refused
 * @param resource what was refused first
 * @param message what a proxy said of it, fit to be shown
 * @param changes how many were tried together when it was refused
 * @param pushes how many trials the search has cost, after the one that was refused first
 * @param trials all of them, in their order; the last ones may be left out
 * @param steps the search, in words, in its order
 * @param blames those that are to blame, as they were found
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
    List<Push> trials,
    List<String> steps,
    List<Blame> blames,
    @Nullable Duration took) {
  public IncidentReport {
    trials = List.copyOf(trials);
    steps = List.copyOf(steps);
    blames = List.copyOf(blames);
  }

  /** Those that are to blame, as they were found. */
  public List<ObjectKey> culprits() {
    return blames.stream().map(Blame::object).toList();
  }

  /**
   * One trial.
   *
   * @param after how long after the rejection
   * @param changes how many were tried
   * @param canaries the nodes that tried them
   * @param answer {@code accepted}, {@code refused}, {@code none}, or {@code open} while it goes on
   */
  public record Push(Duration after, int changes, List<String> canaries, String answer) {
    public Push {
      canaries = List.copyOf(canaries);
    }
  }

  /**
   * An object that is to blame, and the certificate: without it the selection was accepted, with it
   * refused.
   *
   * @param part the digest of what it adds to the resource
   * @param message what a proxy said, fit to be shown
   */
  public record Blame(
      ObjectKey object,
      long generation,
      String proxyClass,
      String agent,
      ResourceId resource,
      String part,
      String message) {}
}
