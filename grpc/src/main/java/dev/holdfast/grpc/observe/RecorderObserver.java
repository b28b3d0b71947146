// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.observe;

import dev.holdfast.xds.client.ResourceType;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.XdsClientObserver;
import io.grpc.LongCounterMetricInstrument;
import io.grpc.LongGaugeMetricInstrument;
import io.grpc.MetricRecorder;
import io.grpc.Status;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of gRFC A78, as {@link MetricsObserver} has them, through the metrics of a channel:
 * they go where those of its calls go, to grpc-opentelemetry for example. They are off there until
 * the application enables them by name.
 */
public final class RecorderObserver implements XdsClientObserver, AutoCloseable {
  private static final List<String> SERVER = List.of("grpc.target", "grpc.xds.server");
  private static final List<String> UPDATES =
      List.of("grpc.target", "grpc.xds.server", "grpc.xds.resource_type");

  private static final SharedInstruments INSTRUMENTS =
      SharedInstruments.afterThoseOf("io.grpc.xds.XdsClientMetricReporterImpl");

  private static final LongCounterMetricInstrument FAILURES =
      INSTRUMENTS.longCounter(
          "grpc.xds_client.server_failure",
          "How often an xDS server that had worked could no longer be reached.",
          "{failure}",
          SERVER,
          List.of());
  private static final LongCounterMetricInstrument VALID =
      INSTRUMENTS.longCounter(
          "grpc.xds_client.resource_updates_valid",
          "Resources received that were valid, whether they had changed or not.",
          "{resource}",
          UPDATES,
          List.of());
  private static final LongCounterMetricInstrument INVALID =
      INSTRUMENTS.longCounter(
          "grpc.xds_client.resource_updates_invalid",
          "Resources received that were invalid.",
          "{resource}",
          UPDATES,
          List.of());
  private static final LongGaugeMetricInstrument CONNECTED =
      INSTRUMENTS.longGauge(
          "grpc.xds_client.connected",
          "Whether there is a working ADS stream to the xDS server.",
          "{bool}",
          SERVER,
          List.of());
  private static final LongGaugeMetricInstrument RESOURCES =
      INSTRUMENTS.longGauge(
          "grpc.xds_client.resources",
          "Resources that are being watched.",
          "{resource}",
          List.of(
              "grpc.target",
              "grpc.xds.authority",
              "grpc.xds.cache_state",
              "grpc.xds.resource_type"),
          List.of());

  private final MetricRecorder recorder;
  private final String target;
  private final GaugeValues gauges = new GaugeValues();
  private final MetricRecorder.Registration registration;

  private RecorderObserver(MetricRecorder recorder, String target) {
    this.recorder = recorder;
    this.target = target;
    registration = recorder.registerBatchCallback(this::read, CONNECTED, RESOURCES);
  }

  /**
   * Metrics of one client. The gauges are registered until {@link #close}.
   *
   * @param target the value of {@code grpc.target}: on whose behalf the client watches
   */
  public static RecorderObserver create(MetricRecorder recorder, String target) {
    return new RecorderObserver(recorder, target);
  }

  private void read(MetricRecorder.BatchRecorder batch) {
    gauges.readConnected(
        (uri, works) ->
            batch.recordLongGauge(CONNECTED, works ? 1 : 0, List.of(target, uri), List.of()));
    gauges.readResources(
        (key, count) ->
            batch.recordLongGauge(
                RESOURCES,
                count,
                List.of(target, key.authority(), key.cacheState(), key.typeName()),
                List.of()));
  }

  @Override
  public void close() {
    registration.close();
  }

  @Override
  public void resourceUpdates(ServerConfig server, ResourceType<?> type, int good, int bad) {
    List<String> labels = List.of(target, server.uri(), type.typeName());
    if (good > 0) {
      recorder.addLongCounter(VALID, good, labels, List.of());
    }
    if (bad > 0) {
      recorder.addLongCounter(INVALID, bad, labels, List.of());
    }
  }

  @Override
  public void serverFailure(ServerConfig server, Status status) {
    recorder.addLongCounter(FAILURES, 1, List.of(target, server.uri()), List.of());
  }

  @Override
  public void connected(ServerConfig server, @Nullable Boolean works) {
    gauges.connected(server, works);
  }

  @Override
  public void cacheStateChanged(
      String authority, ResourceType<?> type, @Nullable String before, @Nullable String after) {
    gauges.cacheStateChanged(authority, type, before, after);
  }
}
