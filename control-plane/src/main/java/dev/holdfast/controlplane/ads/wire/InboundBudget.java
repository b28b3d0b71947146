// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes of all requests that have not been handled yet. A few streams that send large requests
 * at the same time, or parts of them and no more, could otherwise fill the memory. Any thread.
 */
final class InboundBudget {
  /** A stream with less than this never has to go for the others. */
  private static final int SMALL = 64 << 10;

  private final long most;
  private final AtomicLong used = new AtomicLong();

  InboundBudget(long most) {
    this.most = most;
  }

  long most() {
    return most;
  }

  long used() {
    return used.get();
  }

  /** What one stream has received and the loop has not handled. */
  final class Account {
    private long bytes;
    private boolean closed;

    /** Adds to the account; returns whether the stream has to go. */
    synchronized boolean add(long more) {
      if (closed) {
        return false;
      }
      bytes += more;
      return used.addAndGet(more) > most && bytes > SMALL;
    }

    synchronized void subtract(long less) {
      if (!closed) {
        bytes -= less;
        used.addAndGet(-less);
      }
    }

    /** The stream has ended. */
    synchronized void close() {
      used.addAndGet(-bytes);
      bytes = 0;
      closed = true;
    }
  }

  Account account() {
    return new Account();
  }
}
