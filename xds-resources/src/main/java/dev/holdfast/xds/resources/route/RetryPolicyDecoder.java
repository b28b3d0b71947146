// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import com.google.protobuf.Duration;
import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.decode.Durations;
import io.envoyproxy.envoy.config.route.v3.RetryPolicy.RetryBackOff;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Converts Envoy's retry policy to gRPC's, as <a
 * href="https://github.com/grpc/proposal/blob/master/A44-xds-retry.md">gRFC A44</a> says. All other
 * fields of the message are ignored, {@code per_try_timeout} among them unless the client asks for
 * it.
 */
final class RetryPolicyDecoder {
  private static final int DEFAULT_RETRIES = 1;
  private static final int MAX_ATTEMPTS = 5;
  private static final java.time.Duration SHORTEST_BACKOFF = java.time.Duration.ofMillis(1);
  private static final Backoff DEFAULT_BACKOFF =
      new Backoff(java.time.Duration.ofMillis(25), java.time.Duration.ofMillis(250));

  private RetryPolicyDecoder() {}

  private record Backoff(java.time.Duration initial, java.time.Duration max) {}

  /**
   * The policy; null after reporting a problem, and also if no condition is left that gRPC can
   * retry on. What is wrong is reported even then: a violation rejects the resource, whether or not
   * the policy would ever be used.
   *
   * @param perTryTimeout whether to read {@code per_try_timeout}
   */
  static @Nullable RetryPolicy decode(
      io.envoyproxy.envoy.config.route.v3.RetryPolicy proto,
      boolean perTryTimeout,
      Problems problems) {
    Set<RetryableCode> codes = codes(proto.getRetryOn());
    int maxAttempts = maxAttempts(proto, problems);
    Backoff backoff =
        proto.hasRetryBackOff()
            ? backoff(proto.getRetryBackOff(), problems.at("retry_back_off"))
            : DEFAULT_BACKOFF;
    java.time.Duration perTry =
        perTryTimeout && proto.hasPerTryTimeout()
            ? positive(proto.getPerTryTimeout(), problems.at("per_try_timeout"))
            : null;
    if (codes.isEmpty() || maxAttempts == 0 || backoff == null) {
      return null;
    }
    return new RetryPolicy(codes, maxAttempts, backoff.initial(), backoff.max(), perTry);
  }

  /** The conditions that stand for a gRPC status; others, such as {@code 5xx}, are ignored. */
  private static Set<RetryableCode> codes(String retryOn) {
    Set<RetryableCode> codes = EnumSet.noneOf(RetryableCode.class);
    int from = 0;
    while (from <= retryOn.length()) {
      int comma = retryOn.indexOf(',', from);
      int to = comma < 0 ? retryOn.length() : comma;
      RetryableCode code = RetryableCode.ofCondition(retryOn.substring(from, to).strip());
      if (code != null) {
        codes.add(code);
      }
      from = to + 1;
    }
    return codes;
  }

  /** One more than the retries, capped; 0 after reporting a problem. */
  private static int maxAttempts(
      io.envoyproxy.envoy.config.route.v3.RetryPolicy proto, Problems problems) {
    if (!proto.hasNumRetries()) {
      return DEFAULT_RETRIES + 1;
    }
    long retries = Integer.toUnsignedLong(proto.getNumRetries().getValue());
    if (retries == 0) {
      problems.at("num_retries").invalid("0 (expected: at least 1)");
      return 0;
    }
    return (int) Math.min(retries + 1, MAX_ATTEMPTS);
  }

  private static @Nullable Backoff backoff(RetryBackOff proto, Problems problems) {
    java.time.Duration base = null;
    if (proto.hasBaseInterval()) {
      base = positive(proto.getBaseInterval(), problems.at("base_interval"));
    } else {
      problems.at("base_interval").required("not set (expected: set whenever retry_back_off is)");
    }
    java.time.Duration max = null;
    if (proto.hasMaxInterval()) {
      max = positive(proto.getMaxInterval(), problems.at("max_interval"));
      // Compared as given, before short ones are lengthened: 0.2 ms is less than 0.5 ms.
      if (base != null && max != null && max.compareTo(base) < 0) {
        problems
            .at("max_interval")
            .invalid(
                Durations.describe(proto.getMaxInterval())
                    + " (expected: at least base_interval, which is "
                    + Durations.describe(proto.getBaseInterval())
                    + ")");
        return null;
      }
    } else if (base != null) {
      max = base.multipliedBy(10);
    }
    return base == null || max == null
        ? null
        : new Backoff(atLeastShortest(base), atLeastShortest(max));
  }

  private static java.time.@Nullable Duration positive(Duration proto, Problems problems) {
    java.time.Duration duration = Durations.decode(proto, problems);
    if (duration != null && duration.isZero()) {
      problems.invalid("0 s (expected: more than zero)");
      return null;
    }
    return duration;
  }

  private static java.time.Duration atLeastShortest(java.time.Duration duration) {
    return duration.compareTo(SHORTEST_BACKOFF) < 0 ? SHORTEST_BACKOFF : duration;
  }
}
