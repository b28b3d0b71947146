// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import io.grpc.LoadBalancer.PickResult;
import io.grpc.LoadBalancer.PickSubchannelArgs;
import io.grpc.LoadBalancer.SubchannelPicker;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks the endpoints in turn, the heavier ones more often. Other weights make no other picker. */
final class WeightedRoundRobinPicker extends SubchannelPicker {
  private final Endpoint[] endpoints;
  private volatile StrideScheduler scheduler;

  /**
   * @param reports adds the tracer that reads the reports of calls; null if these are not used
   */
  record Endpoint(SubchannelPicker picker, EndpointWeight weight, @Nullable TracedPicks reports) {}

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
    TracedPicks reports = endpoint.reports;
    return reports == null ? result : reports.of(result);
  }
}
