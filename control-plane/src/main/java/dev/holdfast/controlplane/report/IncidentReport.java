// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.report;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.ResourceId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rejection, and the search for the object that caused it.
 *
 * @param id ascending, also across restarts
 * @param proxyClass the class that rejected
 * @param resource the first rejected resource
 * @param message the proxy's error message, sanitised
 * @param changes how many changes were on trial together when the resource was rejected
 * @param pushes how many trials the search took, after the rejected one
 * @param trials the trials of the search in order; the last ones may be left out
 * @param steps the steps of the search in words, in order
 * @param offendingObjects the offending objects, in the order in which they were found
 * @param took null while the search is going on
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
    List<OffendingObject> offendingObjects,
    @Nullable Duration took) {
  public IncidentReport {
    trials = List.copyOf(trials);
    steps = List.copyOf(steps);
    offendingObjects = List.copyOf(offendingObjects);
  }

  /** The offending objects, in the order in which they were found. */
  public List<ObjectKey> offendingKeys() {
    return offendingObjects.stream().map(OffendingObject::object).toList();
  }

  /**
   * One trial of the search.
   *
   * @param after the time since the rejection
   * @param changes how many changes were tried
   * @param canaries the node ids of the proxies that tried them
   * @param answer {@code accepted}, {@code refused}, {@code none}, or {@code open} while the trial
   *     is going on
   */
  public record Push(Duration after, int changes, List<String> canaries, String answer) {
    public Push {
      canaries = List.copyOf(canaries);
    }
  }

  /**
   * An offending object with its evidence: the class accepted the selection without this generation
   * and rejected it with this generation.
   *
   * @param part the digest of the object's contribution to the resource
   * @param message the proxy's error message, sanitised
   */
  public record OffendingObject(
      ObjectKey object,
      long generation,
      String proxyClass,
      String agent,
      ResourceId resource,
      String part,
      String message) {}
}
