// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.controlplane.snapshot.ResourceId;
import java.time.Instant;

/** How a proxy stands to one object's part of one resource. From good to bad. */
public sealed interface Standing {
  /** The proxy has no use for the resource. */
  record Unconcerned() implements Standing {}

  /** The proxy runs that part. */
  record Runs() implements Standing {}

  /** The proxy has not answered yet, or has not been asked. */
  record Pending() implements Standing {}

  /** The proxy cannot run it for reasons of its machine; it is tried again by itself. */
  record Unable(ResourceId resource, String message) implements Standing {}

  /** The proxy refused the resource with that part. */
  record Refused(String message, Instant at) implements Standing {}

  Standing UNCONCERNED = new Unconcerned();
  Standing RUNS = new Runs();
  Standing PENDING = new Pending();

  /** The worse of two. */
  static Standing worse(Standing one, Standing other) {
    return rank(one) >= rank(other) ? one : other;
  }

  private static int rank(Standing standing) {
    if (standing instanceof Refused) {
      return 4;
    }
    if (standing instanceof Unable) {
      return 3;
    }
    return standing instanceof Pending ? 2 : standing instanceof Runs ? 1 : 0;
  }
}
