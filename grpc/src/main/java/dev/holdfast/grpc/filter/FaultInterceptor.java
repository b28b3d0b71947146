// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.filter;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Injects the faults of one filter into the calls of one route. Immutable. */
final class FaultInterceptor implements ClientInterceptor {
  private static final Duration FOREVER = Duration.ofDays(36_500);

  private final FaultRules rules;
  private final FilterEnvironment environment;
  private final long timeoutNanos;

  /**
   * @param timeout of calls as a whole; zero for none
   */
  FaultInterceptor(FaultRules rules, FilterEnvironment environment, Duration timeout) {
    this.rules = rules;
    this.environment = environment;
    timeoutNanos = (timeout.compareTo(FOREVER) < 0 ? timeout : FOREVER).toNanos();
  }

  @Override
  public <Q, S> ClientCall<Q, S> interceptCall(
      MethodDescriptor<Q, S> method, CallOptions options, Channel next) {
    return new FaultCall<>(this, new FaultCall.Target<>(method, options, next));
  }

  FaultRules rules() {
    return rules;
  }

  FilterEnvironment environment() {
    return environment;
  }

  /** When a call that begins now must have ended; null for never. */
  @Nullable Deadline deadline(CallOptions options) {
    Deadline deadline = sooner(options.getDeadline(), Context.current().getDeadline());
    return timeoutNanos == 0 ? deadline : sooner(environment.deadlineAfter(timeoutNanos), deadline);
  }

  private static @Nullable Deadline sooner(@Nullable Deadline a, @Nullable Deadline b) {
    if (a == null) {
      return b;
    }
    return b == null ? a : a.minimum(b);
  }
}
