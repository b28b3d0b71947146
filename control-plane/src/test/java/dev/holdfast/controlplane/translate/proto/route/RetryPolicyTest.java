// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.translate.proto.Text;
import io.envoyproxy.envoy.config.route.v3.RouteAction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Retry policies. */
class RetryPolicyTest {
  private static final String SERVICE = "services: [{name: s, port: 80}]";

  private static RouteAction action(String yaml) {
    return RouteFixtures.route(yaml).getRoute();
  }

  @Test
  void noPolicyMeansNoRetries() {
    assertThat(action(SERVICE).hasRetryPolicy()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      quoteCharacter = '\u00a7',
      value = {
        "{} => retry_on: \"5xx\" num_retries { value: 1 }",
        "{count: -1} => retry_on: \"5xx\" num_retries { }",
        "{count: 0} => retry_on: \"5xx\" num_retries { value: 1 }",
        "{count: 7} => retry_on: \"5xx\" num_retries { value: 7 }",
        "{retryOn: [unavailable, reset]} => retry_on: \"unavailable,reset\" num_retries { value: 1 }",
        "{perTryTimeout: 150ms} => retry_on: \"5xx\" num_retries { value: 1 } per_try_timeout { nanos: 150000000 }",
        "{perTryTimeout: 0s} => retry_on: \"5xx\" num_retries { value: 1 }",
        "{perTryTimeout: infinity} => retry_on: \"5xx\" num_retries { value: 1 }",
        "{retryOn: [retriable-status-codes], retriableStatusCodes: [503, 404]} => retry_on: \"retriable-status-codes\" num_retries { value: 1 } retriable_status_codes: 503 retriable_status_codes: 404",
      })
  void policyIsTranslatedAsInContour(String written, String text) {
    assertThat(Text.of(action(SERVICE + ", retryPolicy: " + written).getRetryPolicy()))
        .isEqualTo(text);
  }
}
