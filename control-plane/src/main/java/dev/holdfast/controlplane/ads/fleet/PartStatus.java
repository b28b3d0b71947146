// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.fleet;

import dev.holdfast.controlplane.snapshot.ResourceId;
import java.time.Instant;

/** The status of one object's part of one resource on a proxy, from good to bad. */
public sealed interface PartStatus {
  /** The proxy does not need the resource. */
  record Unconcerned() implements PartStatus {
    @Override
    public int rank() {
      return 0;
    }
  }

  /** The proxy runs this version of the part. */
  record Runs() implements PartStatus {
    @Override
    public int rank() {
      return 1;
    }
  }

  /** The proxy has not answered yet, or the resource has not been sent. */
  record Pending() implements PartStatus {
    @Override
    public int rank() {
      return 2;
    }
  }

  /** The proxy cannot run it because of a local problem; it is sent again. */
  record Unable(ResourceId resource, String message) implements PartStatus {
    @Override
    public int rank() {
      return 3;
    }
  }

  /** The proxy rejected the resource with this version of the part. */
  record Refused(String message, Instant at) implements PartStatus {
    @Override
    public int rank() {
      return 4;
    }
  }

  PartStatus UNCONCERNED = new Unconcerned();
  PartStatus RUNS = new Runs();
  PartStatus PENDING = new Pending();

  /** Higher is worse. */
  int rank();

  /** The worse of two statuses. */
  static PartStatus worse(PartStatus one, PartStatus other) {
    return one.rank() >= other.rank() ? one : other;
  }
}
