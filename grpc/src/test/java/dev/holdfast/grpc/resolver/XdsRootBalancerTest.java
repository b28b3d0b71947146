// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.resolver;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Attributes;
import io.grpc.CallOptions;
import io.grpc.ConnectivityState;
import io.grpc.EquivalentAddressGroup;
import io.grpc.LoadBalancer;
import io.grpc.LoadBalancer.PickResult;
import io.grpc.LoadBalancer.PickSubchannelArgs;
import io.grpc.LoadBalancer.ResolvedAddresses;
import io.grpc.LoadBalancer.SubchannelPicker;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The root of the balancers while there is nothing to balance. */
class XdsRootBalancerTest {
  private final List<String> states = new ArrayList<>();
  private final LoadBalancer balancer = new XdsRootBalancer(new RecordingHelper());

  @Test
  void failureFailsCallsWithItsReason() {
    Status why = Status.UNAVAILABLE.withDescription("no listener");
    Status accepted = balancer.acceptResolvedAddresses(resolved(new ResolutionFailure(why, false)));
    assertThat(accepted.isOk()).as("news come by themselves").isTrue();
    assertThat(states).containsExactly("TRANSIENT_FAILURE UNAVAILABLE no listener");
    assertThat(balancer.acceptResolvedAddresses(resolved(new ResolutionFailure(why, true))).isOk())
        .as("the channel is to ask again")
        .isFalse();
    balancer.requestConnection();
    balancer.shutdown();
  }

  @Test
  void itIsOfNoUseWithoutItsResolver() {
    Status accepted =
        balancer.acceptResolvedAddresses(
            ResolvedAddresses.newBuilder().setAddresses(List.of()).build());
    assertThat(accepted.getDescription())
        .isEqualTo("policy holdfast_xds (expected: an xds: target)");
    assertThat(states).hasSize(1);
  }

  @Test
  void errorFromElsewhereIsUnavailableToo() {
    balancer.handleNameResolutionError(Status.NOT_FOUND.withDescription("odd"));
    assertThat(states).containsExactly("TRANSIENT_FAILURE UNAVAILABLE odd");
  }

  private static ResolvedAddresses resolved(ResolutionFailure failure) {
    return ResolvedAddresses.newBuilder()
        .setAddresses(List.of())
        .setAttributes(Attributes.newBuilder().set(ResolutionFailure.KEY, failure).build())
        .build();
  }

  private final class RecordingHelper extends LoadBalancer.Helper {
    @Override
    public ManagedChannel createOobChannel(EquivalentAddressGroup group, String authority) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void updateBalancingState(ConnectivityState state, SubchannelPicker picker) {
      PickResult result = picker.pickSubchannel(new AnyCall());
      states.add(
          state + " " + result.getStatus().getCode() + " " + result.getStatus().getDescription());
    }

    @Override
    public String getAuthority() {
      return "svc";
    }
  }

  private static final class AnyCall extends PickSubchannelArgs {
    @Override
    public CallOptions getCallOptions() {
      return CallOptions.DEFAULT;
    }

    @Override
    public Metadata getHeaders() {
      return new Metadata();
    }

    @Override
    public MethodDescriptor<?, ?> getMethodDescriptor() {
      return Backend.method("S/M");
    }
  }
}
