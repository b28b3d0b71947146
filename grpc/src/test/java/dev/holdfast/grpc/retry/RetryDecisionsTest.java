// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.resources.route.RetryableCode;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.EnumSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether and when a call is tried again: gRFC A44 and A6. Delays are in microseconds. */
class RetryDecisionsTest {
  private static final long NEVER = RetryDecisions.NEVER;

  private final Tried it = new Tried();

  @BeforeEach
  void manyAttempts() {
    it.maxAttempts = 5;
  }

  @ParameterizedTest
  @EnumSource(Status.Code.class)
  void onlyCodesOfThePolicyAreRetried(Status.Code code) {
    it.codes = EnumSet.of(RetryableCode.INTERNAL, RetryableCode.CANCELLED);
    boolean retried = code == Status.Code.INTERNAL || code == Status.Code.CANCELLED;
    assertThat(micros(decisions(), 1, code.toStatus(), null)).isEqualTo(retried ? 100_000 : NEVER);
  }

  @Test
  void backoffDoublesUpToItsLimit() {
    RetryDecisions decisions = decisions();
    assertThat(micros(decisions, 1, Status.UNAVAILABLE, null)).isEqualTo(100_000);
    assertThat(decisions.afterTimeout(2) / 1_000).isEqualTo(150_000);
    assertThat(micros(decisions, 3, Status.UNAVAILABLE, null)).isEqualTo(150_000);
  }

  @Test
  void backoffIsUpToAFifthShorterOrLonger() {
    RetryDecisions decisions = decisions();
    it.random.add(0.0);
    it.random.add(0.999_999_999);
    assertThat(micros(decisions, 1, Status.UNAVAILABLE, null)).isEqualTo(80_000);
    assertThat(micros(decisions, 2, Status.UNAVAILABLE, null)).isEqualTo(179_999);
  }

  @Test
  void thereAreNoMoreAttemptsThanThePolicyHas() {
    RetryDecisions decisions = decisions();
    assertThat(micros(decisions, 5, Status.UNAVAILABLE, null)).isEqualTo(NEVER);
    assertThat(micros(decisions, 5, Status.UNAVAILABLE, "10")).isEqualTo(NEVER);
    assertThat(decisions.afterTimeout(5)).isEqualTo(NEVER);
    assertThat(decisions.afterTimeout(4)).isPositive();
  }

  @Test
  void a6PushbackIsTheExactDelayAndStartsBackoffOver() {
    RetryDecisions decisions = decisions();
    assertThat(micros(decisions, 1, Status.UNAVAILABLE, null)).isEqualTo(100_000);
    assertThat(micros(decisions, 2, Status.UNAVAILABLE, "2000")).isEqualTo(2_000_000);
    assertThat(micros(decisions, 3, Status.UNAVAILABLE, null)).isEqualTo(100_000);
    assertThat(micros(decisions, 4, Status.UNAVAILABLE, "0")).isZero();
  }

  @Test
  void a6PushbackAsksForARetryWhateverTheCode() {
    assertThat(micros(decisions(), 1, Status.NOT_FOUND, "7")).isEqualTo(7_000);
    assertThat(micros(decisions(), 1, Status.OK, "7")).isEqualTo(NEVER);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "-2147483648", "soon", "", "1.5", "2147483648"})
  void a6PushbackThatIsNegativeOrNoNumberStopsRetries(String pushback) {
    assertThat(micros(decisions(), 1, Status.UNAVAILABLE, pushback)).isEqualTo(NEVER);
  }

  private RetryDecisions decisions() {
    return new RetryDecisions(it.rules());
  }

  private static long micros(
      RetryDecisions decisions,
      int attempt,
      Status status,
      @org.jspecify.annotations.Nullable String pushback) {
    Metadata trailers = new Metadata();
    if (pushback != null) {
      trailers.put(
          Metadata.Key.of("grpc-retry-pushback-ms", Metadata.ASCII_STRING_MARSHALLER), pushback);
    }
    long nanos = decisions.afterFailure(attempt, status, trailers);
    return nanos == NEVER ? NEVER : nanos / 1_000;
  }
}
