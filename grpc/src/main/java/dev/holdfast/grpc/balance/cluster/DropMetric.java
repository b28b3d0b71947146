// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import io.grpc.LoadBalancer.Helper;
import io.grpc.LongCounterMetricInstrument;
import io.grpc.MetricInstrument;
import io.grpc.MetricInstrumentRegistry;
import io.grpc.MetricRecorder;
import java.util.List;

/** Counts the calls of a cluster that were dropped, through the metrics of the channel. */
final class DropMetric {
  static final String NAME = "holdfast.lb.drops";

  /** The category of the calls that were too many; those of the server are its own. */
  static final String CIRCUIT_BREAKER = "circuit_breaker";

  private static final LongCounterMetricInstrument DROPS = instrument();

  private final MetricRecorder recorder;
  private final String target;
  private final String cluster;

  DropMetric(Helper helper, String cluster) {
    recorder = helper.getMetricRecorder();
    target = helper.getChannelTarget();
    this.cluster = cluster;
  }

  void count(String category) {
    recorder.addLongCounter(DROPS, 1, List.of(target, cluster, category), List.of());
  }

  private static LongCounterMetricInstrument instrument() {
    MetricInstrumentRegistry registry = MetricInstrumentRegistry.getDefaultRegistry();
    for (MetricInstrument known : registry.getMetricInstruments()) {
      // Another class loader's; to register it twice is an error.
      if (known instanceof LongCounterMetricInstrument counter && known.getName().equals(NAME)) {
        return counter;
      }
    }
    return registry.registerLongCounter(
        NAME,
        "Calls that were dropped because the control plane asked for it,"
            + " or because too many were under way.",
        "{call}",
        List.of("grpc.target", "grpc.lb.backend_service", "holdfast.lb.drop_category"),
        List.of(),
        /* enableByDefault= */ false);
  }
}
