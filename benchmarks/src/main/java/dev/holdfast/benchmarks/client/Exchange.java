// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.client;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One response and all that must come of it: every watcher concerned was called, the response was
 * acknowledged, and the next one was asked for. Events come from the {@link Wire}, under its lock.
 */
final class Exchange {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final String nonce;
  private final int callbacksExpected;
  private final CountDownLatch over = new CountDownLatch(1);
  private int callbacks;
  private boolean acked;
  private boolean readAllowed;
  private long end;
  private @Nullable String failure;

  Exchange(String nonce, int callbacksExpected) {
    this.nonce = nonce;
    this.callbacksExpected = callbacksExpected;
  }

  void called(long now) {
    callbacks++;
    happened(now);
  }

  void requested(Request request, long now) {
    if (!request.responseNonce().equals(nonce)) {
      return;
    }
    if (request.error() != null) {
      fail("the response was refused: " + request.error());
    }
    acked = true;
    happened(now);
  }

  void readAllowed(long now) {
    readAllowed = true;
    happened(now);
  }

  void fail(String why) {
    failure = why;
    over.countDown();
  }

  private void happened(long now) {
    if (end == 0 && acked && readAllowed && callbacks >= callbacksExpected) {
      end = now;
      over.countDown();
    }
  }

  /** Waits for the end. Without the lock. */
  void await() {
    try {
      if (!over.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        return; // verify() tells what is missing
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** When it ended; throws if it did not end as it must. */
  long end() {
    if (end == 0 || failure != null || callbacks != callbacksExpected) {
      throw new IllegalStateException(
          "exchange %s: %s; callbacks: %d (expected: %d), acknowledged: %s, next read: %s"
              .formatted(
                  nonce,
                  failure == null ? "not as it must be" : failure,
                  callbacks,
                  callbacksExpected,
                  acked,
                  readAllowed));
    }
    return end;
  }
}
