// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.resolver;

import dev.holdfast.grpc.config.RoutedCall;
import dev.holdfast.grpc.libraries.LibraryCheck;
import dev.holdfast.grpc.retry.DropMark;
import dev.holdfast.grpc.routing.CallRouter;
import io.grpc.CallOptions;
import io.grpc.LoadBalancer.PickDetailsConsumer;
import io.grpc.LoadBalancer.PickResult;
import io.grpc.LoadBalancer.PickSubchannelArgs;
import io.grpc.LoadBalancer.SubchannelPicker;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusOr;

/** Routes calls that began when there were no routes, before another picker sees them. */
final class LateRoutingPicker extends SubchannelPicker {
  private final SubchannelPicker picker;
  private final CallRouter router;

  LateRoutingPicker(SubchannelPicker picker, CallRouter router) {
    this.picker = picker;
    this.router = router;
  }

  @Override
  public PickResult pickSubchannel(PickSubchannelArgs args) {
    try {
      return pick(args);
    } catch (LinkageError e) {
      return PickResult.withDrop(
          Status.UNAVAILABLE.withDescription(LibraryCheck.describe(e)).withCause(e));
    }
  }

  private PickResult pick(PickSubchannelArgs args) {
    if (args.getCallOptions().getOption(RoutedCall.KEY) != null) {
      PickResult result = picker.pickSubchannel(args);
      if (result.isDrop()) {
        DropMark.onDrop(args.getCallOptions());
      }
      return result;
    }
    StatusOr<RoutedCall> routed = router.routeLate(args);
    if (routed == null) {
      return PickResult.withNoResult();
    }
    return routed.hasValue()
        ? picker.pickSubchannel(new RoutedArgs(args, routed.getValue()))
        : PickResult.withDrop(routed.getStatus()); // waiting would not help
  }

  private static final class RoutedArgs extends PickSubchannelArgs {
    private final PickSubchannelArgs args;
    private final CallOptions options;

    RoutedArgs(PickSubchannelArgs args, RoutedCall routed) {
      this.args = args;
      this.options = args.getCallOptions().withOption(RoutedCall.KEY, routed);
    }

    @Override
    public CallOptions getCallOptions() {
      return options;
    }

    @Override
    public Metadata getHeaders() {
      return args.getHeaders();
    }

    @Override
    public MethodDescriptor<?, ?> getMethodDescriptor() {
      return args.getMethodDescriptor();
    }

    @Override
    public PickDetailsConsumer getPickDetailsConsumer() {
      return args.getPickDetailsConsumer();
    }
  }
}
