// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.holdfast.base.Problems;
import java.time.Duration;

/** Here, not with the other fuzz tests, as the conversion is no public entry point. */
class RetryPolicyFuzzTest {

  @FuzzTest(maxDuration = "60s")
  void conversionThrowsNothingAndKeepsItsPromises(byte[] data) {
    io.envoyproxy.envoy.config.route.v3.RetryPolicy proto;
    try {
      proto = io.envoyproxy.envoy.config.route.v3.RetryPolicy.parseFrom(data);
    } catch (InvalidProtocolBufferException e) {
      return;
    }
    Problems problems = new Problems();

    RetryPolicy policy = RetryPolicyDecoder.decode(proto, true, problems);

    assertThat(problems.count()).isLessThanOrEqualTo(4);
    if (policy != null) {
      assertThat(problems.any()).isFalse();
      assertThat(policy.retryableCodes()).isNotEmpty();
      assertThat(policy.maxAttempts()).isBetween(2, 5);
      assertThat(policy.initialBackoff()).isGreaterThanOrEqualTo(Duration.ofMillis(1));
      assertThat(policy.maxBackoff()).isGreaterThanOrEqualTo(policy.initialBackoff());
      Duration perTry = policy.perTryTimeout();
      assertThat(perTry == null || perTry.compareTo(Duration.ZERO) > 0).isTrue();
    }
  }
}
