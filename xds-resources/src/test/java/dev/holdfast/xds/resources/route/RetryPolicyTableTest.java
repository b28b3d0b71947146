// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Problem;
import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.testing.Protos;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * gRFC A44's section on converting Envoy's retry policy, sentence by sentence. Each row has the
 * rule in our words, a policy, and what becomes of it: {@code codes; maxAttempts; initial..max
 * backoff}, {@code none} for no policy, or the problems.
 */
class RetryPolicyTableTest {

  private record Row(String rule, String policy, String expected) {
    @Override
    public String toString() {
      return rule;
    }
  }

  private static final String REST = "; 2; PT0.025S..PT0.25S";

  static Stream<Row> conditions() {
    return Stream.of(
        new Row("cancelled is converted", "retry_on: 'cancelled'", "[CANCELLED]" + REST),
        new Row(
            "deadline-exceeded is converted",
            "retry_on: 'deadline-exceeded'",
            "[DEADLINE_EXCEEDED]" + REST),
        new Row("internal is converted", "retry_on: 'internal'", "[INTERNAL]" + REST),
        new Row(
            "resource-exhausted is converted",
            "retry_on: 'resource-exhausted'",
            "[RESOURCE_EXHAUSTED]" + REST),
        new Row("unavailable is converted", "retry_on: 'unavailable'", "[UNAVAILABLE]" + REST),
        new Row(
            "several are separated by commas",
            "retry_on: 'unavailable,internal,cancelled'",
            "[CANCELLED, INTERNAL, UNAVAILABLE]" + REST),
        new Row(
            "white space and empty entries do not matter",
            "retry_on: ' unavailable ,, \\tinternal,'",
            "[INTERNAL, UNAVAILABLE]" + REST),
        new Row(
            "a repeated condition counts once",
            "retry_on: 'internal,internal'",
            "[INTERNAL]" + REST),
        new Row(
            "any other condition is ignored",
            "retry_on: '5xx,unavailable,retriable-status-codes,aborted'",
            "[UNAVAILABLE]" + REST),
        new Row(
            "conditions are spelled as Envoy documents them",
            "retry_on: 'INTERNAL,Cancelled,resource_exhausted,deadline exceeded'",
            "none"),
        new Row("without any condition left there is no policy", "retry_on: '5xx,reset'", "none"),
        new Row("without any condition there is no policy", "", "none"));
  }

  static Stream<Row> retries() {
    return Stream.of(
        retries("num_retries defaults to 1, which makes 2 attempts", "", "2"),
        retries("attempts are one more than retries", "num_retries { value: 1 }", "2"),
        retries("attempts are one more than retries: 3", "num_retries { value: 3 }", "4"),
        retries("4 retries reach the limit", "num_retries { value: 4 }", "5"),
        retries("more than 4 retries are treated as 4", "num_retries { value: 5 }", "5"),
        retries("a signed overflow is no overflow", "num_retries { value: 2147483647 }", "5"),
        retries("retries are unsigned: 2^31", "num_retries { value: 2147483648 }", "5"),
        retries("retries are unsigned: 2^32-1", "num_retries { value: 4294967295 }", "5"),
        new Row(
            "num_retries must not be less than 1",
            "retry_on: 'internal' num_retries {}",
            "num_retries: 0 (expected: at least 1)"),
        new Row(
            "a violation rejects even where no condition is left",
            "retry_on: '5xx' num_retries { value: 0 }",
            "num_retries: 0 (expected: at least 1)"));
  }

  static Stream<Row> backoffs() {
    String base = "retry_back_off.base_interval: ";
    String max = "retry_back_off.max_interval: ";
    return Stream.of(
        backoff("defaults to 25 ms and 250 ms", "", "PT0.025S..PT0.25S"),
        backoff(
            "both given",
            "base_interval { nanos: 50000000 } max_interval { seconds: 2 }",
            "PT0.05S..PT2S"),
        backoff(
            "base is required", " ", base + "not set (expected: set whenever retry_back_off is)"),
        backoff(
            "base is required, whatever max is",
            "max_interval { seconds: 1 }",
            base + "not set (expected: set whenever retry_back_off is)"),
        backoff(
            "max defaults to ten times base",
            "base_interval { nanos: 3000000 }",
            "PT0.003S..PT0.03S"),
        backoff(
            "max defaults to ten times base as it was given",
            "base_interval { nanos: 200000 }",
            "PT0.001S..PT0.002S"),
        backoff(
            "a defaulted max below 1 ms is 1 ms",
            "base_interval { nanos: 50000 }",
            "PT0.001S..PT0.001S"),
        backoff(
            "the longest duration times ten is no overflow",
            "base_interval { seconds: 315576000000 }",
            "PT87660000H..PT876600000H"),
        backoff(
            "base must be greater than zero",
            "base_interval {}",
            base + "0 s (expected: more than zero)"),
        backoff(
            "base must not be negative",
            "base_interval { seconds: -1 }",
            base + "-1 s (expected: not negative)"),
        backoff(
            "max must be greater than zero",
            "base_interval { seconds: 1 } max_interval {}",
            max + "0 s (expected: more than zero)"),
        backoff(
            "max must not be negative",
            "base_interval { seconds: 1 } max_interval { nanos: -1 }",
            max + "0 s -1 ns (expected: not negative)"),
        backoff(
            "base below 1 ms is 1 ms",
            "base_interval { nanos: 1 } max_interval { nanos: 1000001 }",
            "PT0.001S..PT0.001000001S"),
        backoff(
            "max below 1 ms is 1 ms",
            "base_interval { nanos: 200000 } max_interval { nanos: 500000 }",
            "PT0.001S..PT0.001S"),
        backoff("1 ms is 1 ms", "base_interval { nanos: 1000000 }", "PT0.001S..PT0.01S"),
        backoff(
            "max may equal base",
            "base_interval { seconds: 1 } max_interval { seconds: 1 }",
            "PT1S..PT1S"),
        backoff(
            "max must be no less than base",
            "base_interval { seconds: 2 } max_interval { seconds: 1 nanos: 999999999 }",
            max + "1 s 999999999 ns (expected: at least base_interval, which is 2 s)"),
        backoff(
            "max is compared with base as both were given, even below 1 ms",
            "base_interval { nanos: 500000 } max_interval { nanos: 200000 }",
            max + "0 s 200000 ns (expected: at least base_interval, which is 0 s 500000 ns)"),
        backoff(
            "a duration that is none",
            "base_interval { nanos: 1000000000 }",
            base
                + "0 s 1000000000 ns (expected: at most 315576000000 seconds and 999999999 nanos)"),
        backoff(
            "a duration beyond the limit of durations",
            "base_interval { seconds: 315576000001 }",
            base + "315576000001 s (expected: at most 315576000000 seconds and 999999999 nanos)"));
  }

  static Stream<Row> rest() {
    return Stream.of(
        new Row(
            "all other attributes are ignored",
            """
            retry_on: 'internal' per_try_timeout { seconds: -1 } host_selection_retry_max_attempts: 9
            retriable_status_codes: 503 retry_priority { name: 'p' }
            rate_limited_retry_back_off { max_interval { seconds: -5 } }
            """,
            "[INTERNAL]" + REST),
        new Row(
            "all violations are reported at once",
            """
            num_retries { value: 0 }
            retry_back_off { base_interval { seconds: -1 } max_interval { seconds: -2 } }
            """,
            "num_retries: 0 (expected: at least 1)|"
                + "retry_back_off.base_interval: -1 s (expected: not negative)|"
                + "retry_back_off.max_interval: -2 s (expected: not negative)"));
  }

  @ParameterizedTest
  @MethodSource({"conditions", "retries", "backoffs", "rest"})
  void convertsAsTheGrfcSays(Row row) {
    Problems problems = new Problems();
    var proto = io.envoyproxy.envoy.config.route.v3.RetryPolicy.newBuilder();
    Protos.merge(row.policy, proto);

    RetryPolicy policy = RetryPolicyDecoder.decode(proto.build(), false, problems);

    assertThat(describe(policy, problems.list())).isEqualTo(row.expected);
  }

  private static String describe(
      @org.jspecify.annotations.Nullable RetryPolicy policy, List<Problem> problems) {
    if (!problems.isEmpty()) {
      return String.join("|", problems.stream().map(Problem::toString).toList());
    }
    return policy == null
        ? "none"
        : policy.retryableCodes()
            + "; "
            + policy.maxAttempts()
            + "; "
            + policy.initialBackoff()
            + ".."
            + policy.maxBackoff();
  }

  private static Row retries(String rule, String retries, String attempts) {
    return new Row(
        rule, "retry_on: 'internal' " + retries, "[INTERNAL]; " + attempts + "; PT0.025S..PT0.25S");
  }

  private static Row backoff(String rule, String backoff, String expected) {
    String policy =
        "retry_on: 'internal'" + (backoff.isEmpty() ? "" : " retry_back_off {" + backoff + "}");
    return new Row(
        rule, policy, expected.startsWith("PT") ? "[INTERNAL]; 2; " + expected : expected);
  }
}
