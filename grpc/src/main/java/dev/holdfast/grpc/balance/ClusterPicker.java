// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance;

import dev.holdfast.grpc.config.RoutedCall;
import io.grpc.LoadBalancer.PickResult;
import io.grpc.LoadBalancer.PickSubchannelArgs;
import io.grpc.LoadBalancer.SubchannelPicker;
import io.grpc.Status;
import java.util.Map;

/** Sends a call to the cluster that routing chose for it. */
final class ClusterPicker extends SubchannelPicker {
  private static final PickResult NOT_ROUTED =
      PickResult.withError(
          Status.UNAVAILABLE.withDescription(
              "the call has no cluster (expected: a call that was routed by xDS)"));

  private final Map<String, ClusterChild> children;

  ClusterPicker(Map<String, ClusterChild> children) {
    this.children = Map.copyOf(children);
  }

  @Override
  public PickResult pickSubchannel(PickSubchannelArgs args) {
    RoutedCall call = args.getCallOptions().getOption(RoutedCall.KEY);
    if (call == null) {
      return NOT_ROUTED;
    }
    ClusterChild child = children.get(call.cluster());
    return child == null
        ? PickResult.withError(
            Status.UNAVAILABLE.withDescription(
                "cluster "
                    + call.cluster()
                    + ": not known to this channel (expected: a cluster of its routes)"))
        : child.pick(args);
  }
}
