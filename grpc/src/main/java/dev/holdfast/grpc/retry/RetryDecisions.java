// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.retry;

import dev.holdfast.xds.resources.route.RetryPolicy;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Whether and when one call is tried again (gRFC A44, A6). Not thread-safe. */
final class RetryDecisions {
  /** Instead of a delay: not at all. */
  static final long NEVER = -1;

  private static final Metadata.Key<String> PUSHBACK =
      Metadata.Key.of("grpc-retry-pushback-ms", Metadata.ASCII_STRING_MARSHALLER);

  private final RouteRetries rules;
  private long backoff;

  RetryDecisions(RouteRetries rules) {
    this.rules = rules;
    backoff = rules.initialBackoffNanos();
  }

  /** How long to wait after an attempt that its server, or the channel, ended like this. */
  long afterFailure(int attempt, Status status, Metadata trailers) {
    if (attempt >= rules.maxAttempts() || status.isOk()) {
      return NEVER;
    }
    String pushback = trailers.get(PUSHBACK);
    if (pushback != null) {
      return pushedBack(pushback);
    }
    return rules.isRetryable(status.getCode()) ? nextBackoff() : NEVER;
  }

  /** How long to wait after an attempt that exceeded its time. */
  long afterTimeout(int attempt) {
    return attempt >= rules.maxAttempts() ? NEVER : nextBackoff();
  }

  /** A6: exactly as long as the server says, whatever the code; what is no number says never. */
  private long pushedBack(String text) {
    Integer millis = number(text);
    if (millis == null || millis < 0) {
      return NEVER;
    }
    backoff = rules.initialBackoffNanos();
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private static @Nullable Integer number(String text) {
    try {
      return Integer.valueOf(text);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** A6: 20 % more or less than planned, so that clients do not come back all at once. */
  private long nextBackoff() {
    double jitter = 0.8 + 0.4 * rules.channel().nextRandom();
    long delay = (long) (backoff * jitter);
    backoff = Math.min(backoff * RetryPolicy.BACKOFF_MULTIPLIER, rules.maxBackoffNanos());
    return delay;
  }
}
