// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.controlplane.snapshot.ResourceId;
import java.time.Instant;

/** How a proxy stands to one object's part of one resource. From good to bad. */
public sealed interface PartStatus {
  /** The proxy has no use for the resource. */
  record Unconcerned() implements PartStatus {}

  /** The proxy runs that part. */
  record Runs() implements PartStatus {}

  /** The proxy has not answered yet, or has not been asked. */
  record Pending() implements PartStatus {}

  /** The proxy cannot run it for reasons of its machine; it is tried again by itself. */
  record Unable(ResourceId resource, String message) implements PartStatus {}

  /** The proxy refused the resource with that part. */
  record Refused(String message, Instant at) implements PartStatus {}

  PartStatus UNCONCERNED = new Unconcerned();
  PartStatus RUNS = new Runs();
  PartStatus PENDING = new Pending();

  /** The worse of two. */
  static PartStatus worse(PartStatus one, PartStatus other) {
    return rank(one) >= rank(other) ? one : other;
  }

  private static int rank(PartStatus status) {
    if (status instanceof Refused) {
      return 4;
    }
    if (status instanceof Unable) {
      return 3;
    }
    return status instanceof Pending ? 2 : status instanceof Runs ? 1 : 0;
  }
}
