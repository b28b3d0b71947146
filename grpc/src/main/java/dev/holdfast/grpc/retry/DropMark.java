// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.retry;

import io.grpc.CallOptions;

/**
 * How an attempt learns that a balancer dropped it on purpose. To the caller that looks like any
 * other failure, but it must not be tried again: the drop is there to take load away.
 */
public final class DropMark {
  static final CallOptions.Key<DropMark> KEY =
      CallOptions.Key.create("dev.holdfast.grpc.drop-mark");

  private volatile boolean dropped;

  DropMark() {}

  /** Notes that the attempt with these options was dropped. */
  public static void onDrop(CallOptions options) {
    DropMark mark = options.getOption(KEY);
    if (mark != null) {
      mark.dropped = true;
    }
  }

  boolean dropped() {
    return dropped;
  }
}
