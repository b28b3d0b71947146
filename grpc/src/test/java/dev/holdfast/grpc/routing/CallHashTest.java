// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.grpc.hash.XxHash64;
import org.junit.jupiter.api.Test;

/** The hash of calls (gRFC A42). */
class CallHashTest {
  private static final long A = XxHash64.hash("a");
  private static final long B = XxHash64.hash("b");

  @Test
  void withoutPoliciesItIsRandom() {
    Routing it = hashing("");
    it.random.then(17);
    assertThat(it.routed("S/M").hash()).isEqualTo(17);
  }

  @Test
  void headerIsHashed() {
    Routing it = hashing("{\"header\": {\"header_name\": \"X-User\"}}");
    assertThat(it.routed("S/M", "x-user", "a").hash()).isEqualTo(A);
    assertThat(it.routed("S/M", "x-user", "a", "x-user", "b").hash())
        .isEqualTo(XxHash64.hash("a,b"));
    it.random.then(5);
    assertThat(it.routed("S/M").hash()).as("no such header").isEqualTo(5);
  }

  @Test
  void headerIsRewrittenFirst() {
    Routing it =
        hashing(
            """
            {"header": {"header_name": "x-user", "regex_rewrite": {
              "pattern": {"regex": "^([a-z]).*$"}, "substitution": "\\\\1"}}}
            """);
    assertThat(it.routed("S/M", "x-user", "anton").hash()).isEqualTo(A);
  }

  @Test
  void policiesAreCombinedInOrder() {
    Routing it =
        hashing("{\"header\": {\"header_name\": \"x\"}}, {\"header\": {\"header_name\": \"y\"}}");
    assertThat(it.routed("S/M", "x", "a", "y", "b").hash()).isEqualTo(Long.rotateLeft(A, 1) ^ B);
    assertThat(it.routed("S/M", "y", "b").hash()).isEqualTo(B);
  }

  @Test
  void terminalPolicyEndsTheSearchOnceThereIsAHash() {
    Routing it =
        hashing(
            "{\"header\": {\"header_name\": \"x\"}, \"terminal\": true},"
                + "{\"header\": {\"header_name\": \"y\"}}");
    assertThat(it.routed("S/M", "x", "a", "y", "b").hash()).isEqualTo(A);
    assertThat(it.routed("S/M", "y", "b").hash()).isEqualTo(B);
  }

  @Test
  void channelIdIsTheSameForAllCallsOfAChannel() {
    Routing it = hashing("{\"filter_state\": {\"key\": \"io.grpc.channel_id\"}}");
    long hash = it.routed("S/M").hash();
    it.random.then(99);
    assertThat(it.routed("S/N").hash()).isEqualTo(hash);
  }

  private static Routing hashing(String policies) {
    return new Routing()
        .routes(
            """
            {"match": {"prefix": ""}, "route": {"cluster": "c", "hash_policy": [%s]}}
            """
                .formatted(policies));
  }
}
