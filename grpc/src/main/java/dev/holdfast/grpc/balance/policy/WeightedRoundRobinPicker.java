// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import dev.holdfast.grpc.libraries.NewerGrpc;
import dev.holdfast.grpc.orca.CallReports;
import io.grpc.LoadBalancer.PickResult;
import io.grpc.LoadBalancer.PickSubchannelArgs;
import io.grpc.LoadBalancer.Subchannel;
import io.grpc.LoadBalancer.SubchannelPicker;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks the endpoints in turn, the heavier ones more often. Other weights make no other picker. */
final class WeightedRoundRobinPicker extends SubchannelPicker {
  private final Endpoint[] endpoints;
  private volatile StrideScheduler scheduler;

  /**
   * @param reports traces calls that nobody else traces; null if their reports are not used
   */
  record Endpoint(SubchannelPicker picker, EndpointWeight weight, @Nullable CallReports reports) {}

  /** At least one endpoint. */
  WeightedRoundRobinPicker(List<Endpoint> endpoints, StrideScheduler scheduler) {
    this.endpoints = endpoints.toArray(Endpoint[]::new);
    this.scheduler = scheduler;
  }

  List<Endpoint> endpoints() {
    return List.of(endpoints);
  }

  void schedule(StrideScheduler next) {
    scheduler = next;
  }

  @Override
  public PickResult pickSubchannel(PickSubchannelArgs args) {
    Endpoint endpoint = endpoints[scheduler.next()];
    PickResult result = endpoint.picker.pickSubchannel(args);
    Subchannel subchannel = result.getSubchannel();
    CallReports reports = endpoint.reports;
    return subchannel == null || reports == null
        ? result
        : NewerGrpc.withTracer(
            result, subchannel, reports.besides(result.getStreamTracerFactory()));
  }
}
