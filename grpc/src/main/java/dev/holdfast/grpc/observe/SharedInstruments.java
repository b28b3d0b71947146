// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.observe;

import io.grpc.DoubleHistogramMetricInstrument;
import io.grpc.LongCounterMetricInstrument;
import io.grpc.LongGaugeMetricInstrument;
import io.grpc.MetricInstrument;
import io.grpc.MetricInstrumentRegistry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Metrics whose names somebody else in the process may have registered, or is about to: grpc-xds,
 * or this library in another class loader. To register a name twice is an error, so what is there
 * is used; and whoever would register later and fail is made to do it first.
 */
public final class SharedInstruments {
  private final MetricInstrumentRegistry registry = MetricInstrumentRegistry.getDefaultRegistry();

  private SharedInstruments() {}

  /** Metrics that no other library has. */
  public static SharedInstruments ofOurOwn() {
    return new SharedInstruments();
  }

  /**
   * Metrics that this class registers in its initializer, if it is on the class path.
   *
   * @param otherOwner the name of the class
   */
  public static SharedInstruments afterThoseOf(String otherOwner) {
    try {
      Class.forName(otherOwner, /* initialize= */ true, SharedInstruments.class.getClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      // Not there, or not able to: it is not going to register anything.
    }
    return new SharedInstruments();
  }

  public LongCounterMetricInstrument longCounter(
      String name,
      String description,
      String unit,
      List<String> requiredLabels,
      List<String> optionalLabels) {
    LongCounterMetricInstrument known = known(name, LongCounterMetricInstrument.class);
    return known == null
        ? registry.registerLongCounter(
            name, description, unit, requiredLabels, optionalLabels, /* enableByDefault= */ false)
        : known;
  }

  public LongGaugeMetricInstrument longGauge(
      String name,
      String description,
      String unit,
      List<String> requiredLabels,
      List<String> optionalLabels) {
    LongGaugeMetricInstrument known = known(name, LongGaugeMetricInstrument.class);
    return known == null
        ? registry.registerLongGauge(
            name, description, unit, requiredLabels, optionalLabels, /* enableByDefault= */ false)
        : known;
  }

  public DoubleHistogramMetricInstrument doubleHistogram(
      String name,
      String description,
      String unit,
      List<String> requiredLabels,
      List<String> optionalLabels) {
    DoubleHistogramMetricInstrument known = known(name, DoubleHistogramMetricInstrument.class);
    return known == null
        ? registry.registerDoubleHistogram(
            name,
            description,
            unit,
            List.of(),
            requiredLabels,
            optionalLabels,
            /* enableByDefault= */ false)
        : known;
  }

  private <T> @Nullable T known(String name, Class<T> kind) {
    for (MetricInstrument instrument : registry.getMetricInstruments()) {
      if (instrument.getName().equals(name) && kind.isInstance(instrument)) {
        return kind.cast(instrument);
      }
    }
    return null;
  }
}
