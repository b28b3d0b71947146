// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import dev.holdfast.grpc.observe.SharedInstruments;
import io.grpc.DoubleHistogramMetricInstrument;
import io.grpc.LoadBalancer.Helper;
import io.grpc.LongCounterMetricInstrument;
import java.util.List;

/** The metrics of gRFC A78, with the label of gRFC A89, through the metrics of the channel. */
final class WeightedRoundRobinMetrics {
  private static final List<String> REQUIRED = List.of("grpc.target");
  private static final List<String> OPTIONAL =
      List.of("grpc.lb.locality", "grpc.lb.backend_service");

  // Those of grpc-xds have the same names, and to register a name twice is an error for whoever
  // comes second.
  private static final SharedInstruments INSTRUMENTS =
      SharedInstruments.afterThoseOf("io.grpc.xds.WeightedRoundRobinLoadBalancer");

  private static final LongCounterMetricInstrument RR_FALLBACK =
      INSTRUMENTS.longCounter(
          "grpc.lb.wrr.rr_fallback",
          "Scheduler updates with too few usable weights, after which all endpoints weigh the same.",
          "{update}",
          REQUIRED,
          OPTIONAL);
  private static final LongCounterMetricInstrument NOT_YET_USABLE =
      INSTRUMENTS.longCounter(
          "grpc.lb.wrr.endpoint_weight_not_yet_usable",
          "Endpoints whose weight was not usable yet, at each scheduler update.",
          "{endpoint}",
          REQUIRED,
          OPTIONAL);
  private static final LongCounterMetricInstrument STALE =
      INSTRUMENTS.longCounter(
          "grpc.lb.wrr.endpoint_weight_stale",
          "Endpoints whose weight was no longer usable, at each scheduler update.",
          "{endpoint}",
          REQUIRED,
          OPTIONAL);
  private static final DoubleHistogramMetricInstrument WEIGHTS =
      INSTRUMENTS.doubleHistogram(
          "grpc.lb.wrr.endpoint_weights",
          "Weights of endpoints, at each scheduler update; 0 if not usable.",
          "{weight}",
          REQUIRED,
          OPTIONAL);

  private final Helper helper;
  private final List<String> target;

  WeightedRoundRobinMetrics(Helper helper) {
    this.helper = helper;
    target = List.of(helper.getChannelTarget());
  }

  void weight(double weight, List<String> place) {
    helper.getMetricRecorder().recordDoubleHistogram(WEIGHTS, weight, target, place);
  }

  void notYetUsable(int endpoints, List<String> place) {
    count(NOT_YET_USABLE, endpoints, place);
  }

  void stale(int endpoints, List<String> place) {
    count(STALE, endpoints, place);
  }

  void fallback(List<String> place) {
    count(RR_FALLBACK, 1, place);
  }

  private void count(LongCounterMetricInstrument counter, int count, List<String> place) {
    if (count > 0) {
      helper.getMetricRecorder().addLongCounter(counter, count, target, place);
    }
  }
}
