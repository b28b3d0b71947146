// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Decoded;
import dev.holdfast.xds.resources.DecodeOptions;
import dev.holdfast.xds.resources.testing.Outcomes;
import dev.holdfast.xds.resources.testing.Protos;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** gRFC A44: the policy of the route, else that of its virtual host. */
class RetryPolicyPrecedenceTest {

  @Test
  void routeWithoutAPolicyHasThatOfItsVirtualHost() {
    List<@Nullable RetryPolicy> policies =
        policies(
            DecodeOptions.defaults(),
            "retry_policy { retry_on: 'internal' num_retries { value: 3 } }",
            "",
            "");

    assertThat(policies).hasSize(2);
    assertThat(policies.get(0).retryableCodes()).isEqualTo(Set.of(RetryableCode.INTERNAL));
    assertThat(policies.get(0).maxAttempts()).isEqualTo(4);
    assertThat(policies.get(1)).as("built once per virtual host").isSameAs(policies.get(0));
  }

  @Test
  void policyOfTheRouteGoesBeforeThatOfItsVirtualHost() {
    List<@Nullable RetryPolicy> policies =
        policies(
            DecodeOptions.defaults(),
            "retry_policy { retry_on: 'internal' num_retries { value: 3 } }",
            "retry_policy { retry_on: 'cancelled' }");

    assertThat(policies.get(0).retryableCodes()).isEqualTo(Set.of(RetryableCode.CANCELLED));
    assertThat(policies.get(0).maxAttempts()).isEqualTo(2);
  }

  @Test
  void policyOfTheRouteCountsEvenIfNothingIsLeftOfIt() {
    assertThat(
            policies(
                DecodeOptions.defaults(),
                "retry_policy { retry_on: 'internal' }",
                "retry_policy { retry_on: '5xx' }"))
        .containsExactly((RetryPolicy) null);
  }

  @Test
  void withoutAnyPolicyThereAreNoRetries() {
    assertThat(policies(DecodeOptions.defaults(), "", "")).containsExactly((RetryPolicy) null);
  }

  @Test
  void violationsRejectTheResourceWhereverTheyAre() {
    Decoded<RouteConfiguration> decoded =
        decode(
            DecodeOptions.defaults(),
            "retry_policy { num_retries {} }",
            "",
            "retry_policy { num_retries {} retry_back_off {} }");

    assertThat(Outcomes.problems(decoded))
        .containsExactly(
            "virtual_hosts[0].retry_policy.num_retries: 0 (expected: at least 1)",
            "virtual_hosts[0].routes[1].route.retry_policy.num_retries: 0 (expected: at least 1)",
            "virtual_hosts[0].routes[1].route.retry_policy.retry_back_off.base_interval: not set"
                + " (expected: set whenever retry_back_off is)");
  }

  @Test
  void whenDisabledRetryPoliciesAreIgnoredHoweverWrong() {
    assertThat(
            policies(
                DecodeOptions.defaults().withRetryEnabled(false),
                "retry_policy { retry_on: 'internal' num_retries {} }",
                "retry_policy { retry_on: 'internal' }",
                "retry_policy { num_retries {} }"))
        .containsExactly(null, null);
  }

  private static List<@Nullable RetryPolicy> policies(
      DecodeOptions options, String host, String... routes) {
    return Outcomes.value(decode(options, host, routes)).virtualHosts().get(0).routes().stream()
        .<@Nullable RetryPolicy>map(
            route -> route.action().fold(RouteAction.Forward::retryPolicy, other -> null))
        .toList();
  }

  private static Decoded<RouteConfiguration> decode(
      DecodeOptions options, String host, String... routes) {
    StringBuilder text = new StringBuilder("name: 'r' virtual_hosts { domains: '*' " + host);
    for (String route : routes) {
      text.append(" routes { match { prefix: '' } route { cluster: 'c' ")
          .append(route)
          .append("} }");
    }
    return RouteConfigurationDecoder.decode(
        Protos.routeConfiguration(text.append("}").toString()), options);
  }
}
