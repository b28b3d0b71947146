// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.retry;

import dev.holdfast.xds.resources.route.RetryPolicy;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How calls of one route are tried and tried again. Immutable.
 *
 * <p>Which failures are retried, how often and when is gRFC A44's, with pushback as in gRFC A6.
 * What is added is the timeout of each attempt, with Envoy's meaning:
 *
 * <ul>
 *   <li>It runs from when the whole request was given and there is a connection to send it on,
 *       until the response begins. So it cuts off neither uploads nor streams of responses, however
 *       long they take, nor calls that wait for a connection.
 *   <li>An attempt that exceeds it is retried as long as there are attempts left, whatever {@code
 *       retry_on} says. In Envoy that takes one of {@code 5xx}, {@code gateway-error} and {@code
 *       reset}, conditions of HTTP that A44 has gRPC ignore, so that nobody writes them for gRPC.
 *       And a limit without another attempt after it would do nothing but let calls fail earlier.
 * </ul>
 */
public final class RouteRetries {
  private static final Duration FOREVER = Duration.ofDays(36_500);

  private final TimedRetries channel;
  private final Set<Status.Code> codes;
  private final int maxAttempts;
  private final long initialBackoffNanos;
  private final long maxBackoffNanos;
  private final long perTryNanos;
  private final long timeoutNanos;

  RouteRetries(TimedRetries channel, RetryPolicy policy, Duration timeout) {
    Duration perTry = policy.perTryTimeout();
    if (perTry == null) {
      throw new IllegalArgumentException("perTryTimeout: null (expected: more than zero)");
    }
    this.channel = channel;
    Set<Status.Code> all = EnumSet.noneOf(Status.Code.class);
    policy.retryableCodes().forEach(code -> all.add(Status.Code.valueOf(code.name())));
    codes = Collections.unmodifiableSet(all);
    maxAttempts = policy.maxAttempts();
    initialBackoffNanos = nanos(policy.initialBackoff());
    maxBackoffNanos = nanos(policy.maxBackoff());
    perTryNanos = nanos(perTry);
    timeoutNanos = nanos(timeout);
  }

  /** Durations of xDS may be longer than a long has nanoseconds. */
  private static long nanos(Duration duration) {
    return (duration.compareTo(FOREVER) < 0 ? duration : FOREVER).toNanos();
  }

  /**
   * A call that is tried again if need be.
   *
   * @param next where each attempt is made, which picks an endpoint for it
   */
  public <Q, S> ClientCall<Q, S> newCall(
      MethodDescriptor<Q, S> method, CallOptions options, Channel next) {
    Deadline deadline = deadline(options);
    return new RetryingCall<>(
        this,
        new RetryingCall.Target<>(
            method, deadline == null ? options : options.withDeadline(deadline), next));
  }

  /** The end of the call as a whole: each attempt would start its own timeout otherwise. */
  private @Nullable Deadline deadline(CallOptions options) {
    Deadline deadline = sooner(options.getDeadline(), Context.current().getDeadline());
    return timeoutNanos == 0 ? deadline : sooner(channel.deadlineAfter(timeoutNanos), deadline);
  }

  private static @Nullable Deadline sooner(@Nullable Deadline a, @Nullable Deadline b) {
    if (a == null) {
      return b;
    }
    return b == null ? a : a.minimum(b);
  }

  TimedRetries channel() {
    return channel;
  }

  boolean isRetryable(Status.Code code) {
    return codes.contains(code);
  }

  int maxAttempts() {
    return maxAttempts;
  }

  long initialBackoffNanos() {
    return initialBackoffNanos;
  }

  long maxBackoffNanos() {
    return maxBackoffNanos;
  }

  long perTryNanos() {
    return perTryNanos;
  }

  /** For error texts: {@code 0.5 s}. */
  String perTryText() {
    return BigDecimal.valueOf(perTryNanos, 9).stripTrailingZeros().toPlainString() + " s";
  }
}
