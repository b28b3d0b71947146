// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import dev.holdfast.grpc.config.RoutedCall;
import dev.holdfast.grpc.libraries.NewerGrpc;
import io.grpc.Attributes;
import io.grpc.ClientStreamTracer;
import io.grpc.EquivalentAddressGroup;
import io.grpc.LoadBalancer.PickResult;
import io.grpc.LoadBalancer.PickSubchannelArgs;
import io.grpc.LoadBalancer.Subchannel;
import io.grpc.LoadBalancer.SubchannelPicker;
import io.grpc.Status;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Lets a call into a cluster: drops it if its share is to be dropped, or if too many are under way;
 * tells why if there is no endpoint for it.
 */
final class LeafPicker extends SubchannelPicker {
  private final SubchannelPicker endpoints;
  private final LeafSettings settings;
  private final Supplier<RandomGenerator> random;

  LeafPicker(SubchannelPicker endpoints, LeafSettings settings, Supplier<RandomGenerator> random) {
    this.endpoints = endpoints;
    this.settings = settings;
    this.random = random;
  }

  @Override
  public PickResult pickSubchannel(PickSubchannelArgs args) {
    args.getPickDetailsConsumer().addOptionalLabel("grpc.lb.backend_service", settings.cluster());
    String category = settings.drawDrop(random);
    LeafLoads.Counts loads = settings.loads();
    if (category != null) {
      if (loads != null) {
        loads.load().dropped(category);
      }
      return drop(
          category, "call dropped by category \"" + category + "\" of its endpoints' policy");
    }
    PickResult result = endpoints.pickSubchannel(args);
    Subchannel subchannel = result.getSubchannel();
    if (subchannel == null) {
      return settings.note().on(result);
    }
    // Between this and the stream's beginning others may pass too: a limit, not a lock.
    long underWay = settings.calls().count();
    if (underWay >= settings.maxRequests()) {
      if (loads != null) {
        loads.load().dropped();
      }
      return drop(
          DropMetric.CIRCUIT_BREAKER,
          underWay
              + " calls under way (expected: at most "
              + settings.maxRequests()
              + ", the max_requests of its circuit breakers)");
    }
    return admit(args, subchannel, result);
  }

  private PickResult admit(PickSubchannelArgs args, Subchannel subchannel, PickResult result) {
    Attributes endpoint = subchannel.getConnectedAddressAttributes();
    LeafLoads.Counts loads = settings.loads();
    ClientStreamTracer.Factory counting =
        settings
            .calls()
            .counting(
                loads == null
                    ? result.getStreamTracerFactory()
                    : loads.counting(endpoint, result.getStreamTracerFactory()));
    if (endpoint == null) {
      return NewerGrpc.withTracer(result, subchannel, counting);
    }
    String locality = endpoint.get(EquivalentAddressGroup.ATTR_LOCALITY_NAME);
    if (locality != null) {
      args.getPickDetailsConsumer().addOptionalLabel("grpc.lb.locality", locality);
    }
    RoutedCall call = args.getCallOptions().getOption(RoutedCall.KEY);
    String hostname =
        call != null && call.autoHostRewrite() ? endpoint.get(EndpointAttributes.HOSTNAME) : null;
    return hostname == null
        ? NewerGrpc.withTracer(result, subchannel, counting)
        : PickResult.withSubchannel(subchannel, counting, hostname);
  }

  private PickResult drop(String category, String why) {
    settings.metric().count(category);
    return PickResult.withDrop(
        Status.UNAVAILABLE.withDescription("cluster " + settings.cluster() + ": " + why));
  }
}
