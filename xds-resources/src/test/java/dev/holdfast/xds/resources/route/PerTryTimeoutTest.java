// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Decoded;
import dev.holdfast.xds.resources.DecodeOptions;
import dev.holdfast.xds.resources.testing.Outcomes;
import dev.holdfast.xds.resources.testing.Protos;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code per_try_timeout}, which clients have to ask for. */
class PerTryTimeoutTest {
  private static final DecodeOptions ON = DecodeOptions.defaults().withPerTryTimeout(true);
  private static final String HALF_A_SECOND = policy("nanos: 500000000");

  @Test
  void itIsPartOfThePolicyOfTheRouteOrElseOfTheVirtualHost() {
    assertThat(timeout(ON, "", HALF_A_SECOND)).isEqualTo(Duration.ofMillis(500));
    assertThat(timeout(ON, HALF_A_SECOND, "")).isEqualTo(Duration.ofMillis(500));
    assertThat(timeout(ON, HALF_A_SECOND, policy("seconds: 2"))).isEqualTo(Duration.ofSeconds(2));
    assertThat(timeout(ON, HALF_A_SECOND, "retry_policy { retry_on: 'internal' }")).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''          | 0 s (expected: more than zero)",
        "seconds: -1 | -1 s (expected: not negative)",
        "nanos: -1   | 0 s -1 ns (expected: not negative)",
        "nanos: 1000000000 | 0 s 1000000000 ns"
            + " (expected: at most 315576000000 seconds and 999999999 nanos)"
      })
  void whatIsNoTimeoutRejectsTheResource(String timeout, String problem) {
    assertThat(Outcomes.problems(decode(ON, policy(timeout), "")))
        .containsExactly("virtual_hosts[0].retry_policy.per_try_timeout: " + problem);
    assertThat(Outcomes.problems(decode(ON, "", policy(timeout))))
        .containsExactly(
            "virtual_hosts[0].routes[0].route.retry_policy.per_try_timeout: " + problem);
  }

  @Test
  void withoutBeingAskedForItIsIgnoredHoweverWrong() {
    assertThat(timeout(DecodeOptions.defaults(), "", HALF_A_SECOND)).isNull();
    assertThat(timeout(DecodeOptions.defaults(), "", policy("seconds: -1"))).isNull();
    assertThat(timeout(DecodeOptions.defaults(), policy(""), "")).isNull();
  }

  @Test
  void itIsIgnoredWithTheWholePolicyWhereRetriesAreOff() {
    Decoded<RouteConfiguration> decoded =
        decode(ON.withRetryEnabled(false), policy(""), policy("seconds: -1"));
    assertThat(Outcomes.problems(decoded)).isEmpty();
  }

  @Test
  void whereItIsMeantForHedgingItIsIgnored() {
    String hedge = " hedge_policy { hedge_on_per_try_timeout: true }";
    assertThat(timeout(ON, "", HALF_A_SECOND + hedge)).isNull();
    assertThat(timeout(ON, hedge, HALF_A_SECOND)).isNull();
    assertThat(timeout(ON, HALF_A_SECOND + hedge, "")).isNull();
    assertThat(timeout(ON, hedge, HALF_A_SECOND + " hedge_policy {}"))
        .as("a hedge policy of the route goes before that of its virtual host")
        .isEqualTo(Duration.ofMillis(500));
  }

  private static String policy(String timeout) {
    return "retry_policy { retry_on: 'internal' per_try_timeout {" + timeout + "} }";
  }

  private static @Nullable Duration timeout(DecodeOptions options, String host, String route) {
    RetryPolicy policy =
        Outcomes.value(decode(options, host, route))
            .virtualHosts()
            .get(0)
            .routes()
            .get(0)
            .action()
            .<@Nullable RetryPolicy>fold(RouteAction.Forward::retryPolicy, other -> null);
    if (policy == null) {
      throw new AssertionError("no policy");
    }
    return policy.perTryTimeout();
  }

  private static Decoded<RouteConfiguration> decode(
      DecodeOptions options, String host, String route) {
    return RouteConfigurationDecoder.decode(
        Protos.routeConfiguration(
            "name: 'r' virtual_hosts { domains: '*' "
                + host
                + " routes { match { prefix: '' } route { cluster: 'c' "
                + route
                + "} } }"),
        options);
  }
}
