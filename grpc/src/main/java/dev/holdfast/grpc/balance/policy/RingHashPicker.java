// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import static io.grpc.ConnectivityState.IDLE;

import dev.holdfast.grpc.config.RoutedCall;
import io.grpc.ConnectivityState;
import io.grpc.LoadBalancer.PickResult;
import io.grpc.LoadBalancer.PickSubchannelArgs;
import io.grpc.LoadBalancer.SubchannelPicker;
import io.grpc.Status;
import io.grpc.SynchronizationContext;
import io.grpc.util.MultiChildLoadBalancer;
import java.util.List;

/**
 * The ring, and the state that each endpoint was in when this picker was made. Failed endpoints are
 * passed over; where all have failed, the one that the call fell to says why.
 */
final class RingHashPicker extends SubchannelPicker {
  private static final PickResult NO_HASH =
      PickResult.withError(
          Status.UNAVAILABLE.withDescription(
              "ring_hash: the call has no hash (expected: a call that was routed by xDS)"));
  private static final PickResult CONNECTING =
      Pickers.connectingResult("ring_hash: the endpoint of this hash is not connected yet");

  private final Ring ring;
  private final View[] endpoints;
  private final SynchronizationContext context;

  private record View(
      MultiChildLoadBalancer.ChildLbState child,
      ConnectivityState state,
      SubchannelPicker picker) {}

  RingHashPicker(
      Ring ring,
      List<MultiChildLoadBalancer.ChildLbState> endpoints,
      SynchronizationContext context) {
    this.ring = ring;
    this.context = context;
    this.endpoints = new View[endpoints.size()];
    for (int i = 0; i < this.endpoints.length; i++) {
      MultiChildLoadBalancer.ChildLbState child = endpoints.get(i);
      this.endpoints[i] = new View(child, child.getCurrentState(), child.getCurrentPicker());
    }
  }

  @Override
  public PickResult pickSubchannel(PickSubchannelArgs args) {
    RoutedCall call = args.getCallOptions().getOption(RoutedCall.KEY);
    if (call == null) {
      return NO_HASH;
    }
    int first = ring.find(call.hash());
    for (int i = 0; i < ring.size(); i++) {
      View endpoint = endpoints[ring.endpointAt(first + i)];
      switch (endpoint.state) {
        case READY -> {
          return endpoint.picker.pickSubchannel(args);
        }
        case CONNECTING -> {
          return CONNECTING;
        }
        case IDLE -> {
          context.execute(() -> connect(endpoint.child));
          return CONNECTING;
        }
        case TRANSIENT_FAILURE, SHUTDOWN -> {}
      }
    }
    return endpoints[ring.endpointAt(first)].picker.pickSubchannel(args);
  }

  private static void connect(MultiChildLoadBalancer.ChildLbState child) {
    // Another call may have been quicker.
    if (child.getCurrentState() == IDLE) {
      child.getLb().requestConnection();
    }
  }
}
