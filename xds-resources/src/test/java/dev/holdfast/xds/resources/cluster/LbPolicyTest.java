// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.holdfast.xds.resources.DecodeOptions;
import dev.holdfast.xds.resources.testing.Outcomes;
import dev.holdfast.xds.resources.testing.Protos;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** {@code load_balancing_policy}: gRFC A42, A48, A52, A58, A62. */
class LbPolicyTest {
  private static final String AT =
      "load_balancing_policy.policies[0].typed_extension_config.typed_config";

  @Test
  void everySupportedPolicyIsDecodedWithItsDefaults() {
    assertThat(lbPolicy(policy("round_robin.v3.RoundRobin", "")))
        .isEqualTo(new LbPolicy.RoundRobin());
    assertThat(lbPolicy(policy("pick_first.v3.PickFirst", "")))
        .isEqualTo(new LbPolicy.PickFirst(false));
    assertThat(lbPolicy(policy("ring_hash.v3.RingHash", "")))
        .isEqualTo(new LbPolicy.RingHash(1024, 8388608));
    assertThat(lbPolicy(policy("least_request.v3.LeastRequest", "")))
        .isEqualTo(new LbPolicy.LeastRequest(2));
    assertThat(
            lbPolicy(
                policy("client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin", "")))
        .isEqualTo(
            new LbPolicy.ClientSideWeightedRoundRobin(
                false,
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                Duration.ofMinutes(3),
                Duration.ofSeconds(1),
                1,
                List.of()));
    assertThat(lbPolicy(locality(policy("round_robin.v3.RoundRobin", ""))))
        .isSameAs(LbPolicy.DEFAULT);
  }

  @Test
  void policiesAreNamedAsInTheRegistryOfGrpcAndEachHasItsBranch() {
    List<LbPolicy> policies =
        List.of(
            LbPolicy.DEFAULT,
            new LbPolicy.RoundRobin(),
            new LbPolicy.PickFirst(true),
            new LbPolicy.RingHash(1, 2),
            new LbPolicy.LeastRequest(2),
            lbPolicy(
                policy("client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin", "")),
            new LbPolicy.Custom("acme.Lb", Struct.getDefaultInstance()));

    assertThat(policies)
        .extracting(LbPolicy::name)
        .containsExactly(
            "xds_wrr_locality_experimental",
            "round_robin",
            "pick_first",
            "ring_hash_experimental",
            "least_request_experimental",
            "weighted_round_robin",
            "acme.Lb");
    assertThat(policies).<LbPolicy>map(policy -> policy.accept(new Same())).isEqualTo(policies);
  }

  /** Returns what it visits, by the method that is meant for it. */
  private static final class Same implements LbPolicy.Visitor<LbPolicy> {
    @Override
    public LbPolicy roundRobin(LbPolicy.RoundRobin policy) {
      return policy;
    }

    @Override
    public LbPolicy pickFirst(LbPolicy.PickFirst policy) {
      return policy;
    }

    @Override
    public LbPolicy ringHash(LbPolicy.RingHash policy) {
      return policy;
    }

    @Override
    public LbPolicy leastRequest(LbPolicy.LeastRequest policy) {
      return policy;
    }

    @Override
    public LbPolicy wrrLocality(LbPolicy.WrrLocality policy) {
      return policy;
    }

    @Override
    public LbPolicy clientSideWeightedRoundRobin(LbPolicy.ClientSideWeightedRoundRobin policy) {
      return policy;
    }

    @Override
    public LbPolicy custom(LbPolicy.Custom policy) {
      return policy;
    }
  }

  @Test
  void configurationIsRead() {
    assertThat(lbPolicy(policy("pick_first.v3.PickFirst", "shuffle_address_list: true")))
        .isEqualTo(new LbPolicy.PickFirst(true));
    assertThat(
            lbPolicy(
                policy(
                    "ring_hash.v3.RingHash",
                    "hash_function: XX_HASH minimum_ring_size { value: 2 } maximum_ring_size {"
                        + " value: 3 }")))
        .isEqualTo(new LbPolicy.RingHash(2, 3));
    assertThat(
            lbPolicy(
                locality(policy("least_request.v3.LeastRequest", "choice_count { value: 7 }"))))
        .isEqualTo(new LbPolicy.WrrLocality(new LbPolicy.LeastRequest(7)));
    assertThat(
            lbPolicy(
                policy(
                    "client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin",
                    """
                    enable_oob_load_report { value: true } oob_reporting_period { seconds: 1 }
                    blackout_period {} weight_expiration_period { seconds: 2 }
                    weight_update_period { nanos: 99999999 } error_utilization_penalty { value: 0.5 }
                    metric_names_for_computing_utilization: 'm'
                    """)))
        .isEqualTo(
            new LbPolicy.ClientSideWeightedRoundRobin(
                true,
                Duration.ofSeconds(1),
                Duration.ZERO,
                Duration.ofSeconds(2),
                Duration.ofMillis(100),
                0.5f,
                List.of("m")));
  }

  @Test
  void firstSupportedPolicyOfTheListIsUsed() {
    assertThat(
            lbPolicy(
                unknown()
                    + typed(
                        "[TYPE/xds.type.v3.TypedStruct] { type_url: 'TYPE/acme.NotRegistered' }")
                    + policy("pick_first.v3.PickFirst", "")
                    + policy("round_robin.v3.RoundRobin", "")))
        .isEqualTo(new LbPolicy.PickFirst(false));
  }

  @Test
  void whatComesAfterIsNoWayOutForASupportedPolicyThatIsWrong() {
    assertThat(
            Outcomes.problems(
                Clusters.eds(
                    field(
                        policy("least_request.v3.LeastRequest", "choice_count { value: 1 }")
                            + policy("round_robin.v3.RoundRobin", "")))))
        .containsExactly(AT + ".choice_count: 1 (expected: at least 2)");
  }

  @Test
  void listWithoutASupportedPolicyIsRejected() {
    assertThat(Outcomes.problems(Clusters.eds(field(unknown()))))
        .containsExactly(
            "load_balancing_policy.policies: none is supported (expected: at least one that is)");
    assertThat(Outcomes.problems(Clusters.eds(field(""))))
        .containsExactly("load_balancing_policy.policies: empty (expected: at least one policy)");
    assertThat(Outcomes.problems(Clusters.eds(field(locality("")))))
        .containsExactly(
            AT + ".endpoint_picking_policy.policies: empty (expected: at least one policy)");
  }

  @Test
  void newFieldGoesBeforeTheOldOne() {
    assertThat(
            Clusters.lbPolicy("lb_policy: MAGLEV " + field(policy("pick_first.v3.PickFirst", ""))))
        .isEqualTo(new LbPolicy.PickFirst(false));
  }

  @Test
  void choicesOfLeastRequestAreTwoToTen() {
    assertThat(lbPolicy(policy("least_request.v3.LeastRequest", "choice_count { value: 11 }")))
        .isEqualTo(new LbPolicy.LeastRequest(10));
    assertThat(
            lbPolicy(policy("least_request.v3.LeastRequest", "choice_count { value: 4294967295 }")))
        .isEqualTo(new LbPolicy.LeastRequest(10));
  }

  @Test
  void ringSizesHaveLimits() {
    String ringHash = "ring_hash.v3.RingHash";

    assertThat(
            problems(
                policy(
                    ringHash,
                    "hash_function: MURMUR_HASH_2 minimum_ring_size {} maximum_ring_size { value:"
                        + " 8388609 }")))
        .containsExactly(
            AT + ".hash_function: MURMUR_HASH_2 (expected: XX_HASH)",
            AT + ".minimum_ring_size: 0 (expected: 1 to 8388608)",
            AT + ".maximum_ring_size: 8388609 (expected: 1 to 8388608)");
    assertThat(problems(policy(ringHash, "minimum_ring_size { value: 18446744073709551615 }")))
        .containsExactly(AT + ".minimum_ring_size: 18446744073709551615 (expected: 1 to 8388608)");
    assertThat(problems(policy(ringHash, "maximum_ring_size { value: 1023 }")))
        .containsExactly(
            AT + ".maximum_ring_size: 1023 (expected: at least minimum_ring_size, which is 1024)");
  }

  @Test
  void weightedRoundRobinRejectsNegativeValues() {
    assertThat(
            problems(
                policy(
                    "client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin",
                    """
                    blackout_period { seconds: -1 } weight_update_period { nanos: 1000000000 }
                    error_utilization_penalty { value: -0.1 }
                    """)))
        .containsExactly(
            AT + ".blackout_period: -1 s (expected: not negative)",
            AT
                + ".weight_update_period: 0 s 1000000000 ns (expected: at most 315576000000 seconds"
                + " and 999999999 nanos)",
            AT + ".error_utilization_penalty: -0.1 (expected: at least 0)");
    assertThat(
            problems(
                policy(
                    "client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin",
                    "error_utilization_penalty { value: nan }")))
        .containsExactly(AT + ".error_utilization_penalty: NaN (expected: at least 0)");
  }

  @Test
  void policiesNestAtMostSixteenDeep() {
    String deepest = policy("round_robin.v3.RoundRobin", "");
    String sixteen = nested(15, deepest);

    assertThat(Outcomes.problems(Clusters.eds(field(sixteen)))).isEmpty();
    assertThat(problems(nested(16, deepest)))
        .singleElement()
        .asString()
        .endsWith("policies within policies (expected: at most 16 levels)");
  }

  @Test
  void customPolicyIsUsedWhereTheApplicationRegisteredIt() {
    String text =
        "name: 'c' type: EDS eds_cluster_config { eds_config { ads {} } }"
            + field(
                typed(
                    "[TYPE/udpa.type.v1.TypedStruct] { type_url: 'TYPE/acme.Lb' value { fields {"
                        + " key: 'k' value { bool_value: true } } } }"));
    DecodeOptions options = DecodeOptions.defaults().withCustomLbPolicies(Set.of("acme.Lb"));

    assertThat(Outcomes.value(ClusterDecoder.decode(Protos.cluster(text), options)).lbPolicy())
        .isEqualTo(
            new LbPolicy.Custom(
                "acme.Lb",
                Struct.newBuilder()
                    .putFields("k", Value.newBuilder().setBoolValue(true).build())
                    .build()));
  }

  @Test
  void undecodableConfigurationIsReported() {
    for (String type :
        List.of(
            "envoy.extensions.load_balancing_policies.round_robin.v3.RoundRobin",
            "envoy.extensions.load_balancing_policies.pick_first.v3.PickFirst",
            "envoy.extensions.load_balancing_policies.ring_hash.v3.RingHash",
            "envoy.extensions.load_balancing_policies.least_request.v3.LeastRequest",
            "envoy.extensions.load_balancing_policies.wrr_locality.v3.WrrLocality",
            "envoy.extensions.load_balancing_policies.client_side_weighted_round_robin.v3"
                + ".ClientSideWeightedRoundRobin",
            "xds.type.v3.TypedStruct")) {
      assertThat(problems(typed("type_url: 'TYPE/" + type + "' value: '\\x0a'")))
          .singleElement()
          .asString()
          .startsWith(AT + ": not a message of the type that it claims to be: ");
    }
  }

  private static String nested(int levels, String innermost) {
    String text = innermost;
    for (int i = 0; i < levels; i++) {
      text = locality(text);
    }
    return text;
  }

  private static LbPolicy lbPolicy(String policies) {
    return Clusters.lbPolicy(field(policies));
  }

  private static List<String> problems(String policies) {
    return Outcomes.problems(Clusters.eds(field(policies)));
  }

  private static String field(String policies) {
    return "load_balancing_policy {" + policies + "}";
  }

  private static String locality(String policies) {
    return policy("wrr_locality.v3.WrrLocality", "endpoint_picking_policy {" + policies + "}");
  }

  private static String unknown() {
    return typed(Protos.UNKNOWN_EXTENSION);
  }

  private static String policy(String type, String content) {
    return typed("[TYPE/envoy.extensions.load_balancing_policies." + type + "] {" + content + "}");
  }

  private static String typed(String any) {
    return "policies { typed_extension_config { typed_config {" + any + "} } }";
  }
}
