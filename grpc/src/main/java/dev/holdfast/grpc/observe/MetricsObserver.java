// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.observe;

import dev.holdfast.xds.client.ResourceType;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.XdsClientObserver;
import io.grpc.Status;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableLongGauge;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of gRFC A78, with the cache states of gRFC A88.
 *
 * <p>The engine's events are counted as they come; a collector reads the counts and never waits for
 * the engine. A resource that leaves the cache, and a server that is no longer used, leave the
 * gauges too.
 */
public final class MetricsObserver implements XdsClientObserver, AutoCloseable {
  static final AttributeKey<String> TARGET = AttributeKey.stringKey("grpc.target");
  static final AttributeKey<String> SERVER = AttributeKey.stringKey("grpc.xds.server");
  static final AttributeKey<String> AUTHORITY = AttributeKey.stringKey("grpc.xds.authority");
  static final AttributeKey<String> CACHE_STATE = AttributeKey.stringKey("grpc.xds.cache_state");
  static final AttributeKey<String> RESOURCE_TYPE =
      AttributeKey.stringKey("grpc.xds.resource_type");

  private final String target;
  private final LongCounter valid;
  private final LongCounter invalid;
  private final LongCounter failures;
  private final ObservableLongGauge connectedGauge;
  private final ObservableLongGauge resourcesGauge;

  private final GaugeValues gauges = new GaugeValues();

  private MetricsObserver(Meter meter, String target) {
    this.target = target;
    valid =
        meter
            .counterBuilder("grpc.xds_client.resource_updates_valid")
            .setUnit("{resource}")
            .setDescription("Resources received that were valid, whether they had changed or not.")
            .build();
    invalid =
        meter
            .counterBuilder("grpc.xds_client.resource_updates_invalid")
            .setUnit("{resource}")
            .setDescription("Resources received that were invalid.")
            .build();
    failures =
        meter
            .counterBuilder("grpc.xds_client.server_failure")
            .setUnit("{failure}")
            .setDescription("How often an xDS server that had worked could no longer be reached.")
            .build();
    connectedGauge =
        meter
            .gaugeBuilder("grpc.xds_client.connected")
            .ofLongs()
            .setUnit("{bool}")
            .setDescription("Whether there is a working ADS stream to the xDS server.")
            .buildWithCallback(this::readConnected);
    resourcesGauge =
        meter
            .gaugeBuilder("grpc.xds_client.resources")
            .ofLongs()
            .setUnit("{resource}")
            .setDescription("Resources that are being watched.")
            .buildWithCallback(this::readResources);
  }

  /**
   * Metrics of one client. The gauges are registered until {@link #close}.
   *
   * @param target the value of {@code grpc.target}: on whose behalf the client watches
   */
  public static MetricsObserver create(Meter meter, String target) {
    return new MetricsObserver(meter, target);
  }

  @Override
  public void close() {
    connectedGauge.close();
    resourcesGauge.close();
  }

  @Override
  public void resourceUpdates(ServerConfig server, ResourceType<?> type, int good, int bad) {
    Attributes attributes =
        Attributes.of(TARGET, target, SERVER, server.uri(), RESOURCE_TYPE, type.typeName());
    if (good > 0) {
      valid.add(good, attributes);
    }
    if (bad > 0) {
      invalid.add(bad, attributes);
    }
  }

  @Override
  public void serverFailure(ServerConfig server, Status status) {
    failures.add(1, Attributes.of(TARGET, target, SERVER, server.uri()));
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

  private void readConnected(ObservableLongMeasurement gauge) {
    gauges.readConnected(
        (uri, works) -> gauge.record(works ? 1 : 0, Attributes.of(TARGET, target, SERVER, uri)));
  }

  private void readResources(ObservableLongMeasurement gauge) {
    gauges.readResources(
        (key, count) ->
            gauge.record(
                count,
                Attributes.of(
                    TARGET, target,
                    AUTHORITY, key.authority(),
                    CACHE_STATE, key.cacheState(),
                    RESOURCE_TYPE, key.typeName())));
  }
}
