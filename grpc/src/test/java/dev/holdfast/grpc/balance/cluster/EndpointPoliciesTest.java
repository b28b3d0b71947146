// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ListValue;
import com.google.protobuf.NullValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.holdfast.grpc.balance.policy.LeastRequestBalancer;
import dev.holdfast.grpc.balance.policy.Policy;
import dev.holdfast.grpc.balance.policy.RingHashBalancer;
import dev.holdfast.grpc.balance.policy.WeightedRoundRobinConfig;
import dev.holdfast.grpc.security.ClusterSecurity;
import dev.holdfast.xds.resources.cluster.LbPolicy;
import io.grpc.LoadBalancer;
import io.grpc.LoadBalancerProvider;
import io.grpc.LoadBalancerRegistry;
import io.grpc.NameResolver.ConfigOrError;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EndpointPoliciesTest {
  private final LoadBalancerRegistry registry = new LoadBalancerRegistry();
  private final EndpointPolicies policies =
      new EndpointPolicies(
          new Environment(
              () -> new Random(1),
              registry,
              new CircuitBreakers(),
              ClusterSecurity.withoutProviders()));

  private Policy policy(LbPolicy wanted) {
    return wanted.accept(policies).getValue();
  }

  @Test
  void gRpcsOwnAreFoundByName() {
    register("round_robin");
    register("pick_first");
    assertThat(policy(new LbPolicy.RoundRobin()).factory())
        .isSameAs(registry.getProvider("round_robin"));
    Policy pickFirst = policy(new LbPolicy.PickFirst(true));
    assertThat(pickFirst.factory()).isSameAs(registry.getProvider("pick_first"));
    assertThat(pickFirst.config()).isEqualTo(Map.of("shuffleAddressList", true));
  }

  @Test
  void ourOwnNeedNoName() {
    assertThat(policy(new LbPolicy.RingHash(16, 64)))
        .isEqualTo(new Policy(RingHashBalancer.FACTORY, new RingHashBalancer.Config(16, 64)));
    assertThat(policy(new LbPolicy.LeastRequest(3)).config())
        .isEqualTo(new LeastRequestBalancer.Config(3));
  }

  @Test
  void equalPoliciesAreOnePolicy() {
    assertThat(policy(new LbPolicy.LeastRequest(3)))
        .isEqualTo(policy(new LbPolicy.LeastRequest(3)));
  }

  @Test
  void weightsByLoadAreOursWhoeverElseHasThem() {
    register("weighted_round_robin");
    LbPolicy.ClientSideWeightedRoundRobin wanted =
        new LbPolicy.ClientSideWeightedRoundRobin(
            true,
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            Duration.ofMinutes(3),
            Duration.ofMillis(1500),
            0.5f,
            List.of("named_metrics.a"));
    assertThat(policy(wanted).config()).isEqualTo(new WeightedRoundRobinConfig(wanted));
    assertThat(policy(wanted)).isEqualTo(policy(wanted));
    assertThat(policy(wanted).factory()).isNotSameAs(registry.getProvider("weighted_round_robin"));
  }

  @Test
  void customOnesGetTheirConfigurationAsJson() {
    register("acme");
    Struct config =
        Struct.newBuilder()
            .putFields("number", Value.newBuilder().setNumberValue(1.5).build())
            .putFields("text", Value.newBuilder().setStringValue("x").build())
            .putFields("flag", Value.newBuilder().setBoolValue(true).build())
            .putFields(
                "list",
                Value.newBuilder()
                    .setListValue(
                        ListValue.newBuilder().addValues(Value.newBuilder().setNumberValue(2)))
                    .build())
            .putFields(
                "object", Value.newBuilder().setStructValue(Struct.getDefaultInstance()).build())
            .putFields("nothing", Value.newBuilder().setNullValue(NullValue.NULL_VALUE).build())
            .build();
    Map<?, ?> json =
        (Map<?, ?>) Objects.requireNonNull(policy(new LbPolicy.Custom("acme", config)).config());
    assertThat(json.get("number")).isEqualTo(1.5);
    assertThat(json.get("text")).isEqualTo("x");
    assertThat(json.get("flag")).isEqualTo(true);
    assertThat(json.get("list")).isEqualTo(List.of(2.0));
    assertThat(json.get("object")).isEqualTo(Map.of());
    assertThat(json.containsKey("nothing")).isTrue();
    assertThat(json.get("nothing")).isNull();
  }

  @Test
  void aPolicyThatThrowsWhileItReadsItsConfigurationIsNamed() {
    register("acme");
    Struct config =
        Struct.newBuilder()
            .putFields("explode", Value.newBuilder().setBoolValue(true).build())
            .build();
    assertThat(new LbPolicy.Custom("acme", config).accept(policies).getStatus().getDescription())
        .isEqualTo(
            "load balancing policy acme cannot read its configuration:"
                + " java.lang.IllegalStateException: boom");
  }

  @Test
  void localitiesInsideOfLocalitiesAreAnError() {
    LbPolicy nested = new LbPolicy.WrrLocality(new LbPolicy.RoundRobin());
    assertThat(nested.accept(policies).getStatus().getDescription())
        .isEqualTo(
            "load balancing policy xds_wrr_locality_experimental is about localities (expected: a"
                + " policy for endpoints)");
  }

  private void register(String name) {
    registry.register(
        new LoadBalancerProvider() {
          @Override
          public boolean isAvailable() {
            return true;
          }

          @Override
          public int getPriority() {
            return 5;
          }

          @Override
          public String getPolicyName() {
            return name;
          }

          @Override
          public LoadBalancer newLoadBalancer(LoadBalancer.Helper helper) {
            throw new UnsupportedOperationException();
          }

          @Override
          public ConfigOrError parseLoadBalancingPolicyConfig(Map<String, ?> config) {
            if (config.containsKey("explode")) {
              throw new IllegalStateException("boom");
            }
            return ConfigOrError.fromConfig(config);
          }
        });
  }
}
