// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.ServerFeature;
import io.grpc.Status;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MetricsObserverTest {
  private static final ServerConfig SERVER = ServerConfig.insecure("xds:1");
  private static final String CLUSTER = "envoy.config.cluster.v3.Cluster";

  private final InMemoryMetricReader reader = InMemoryMetricReader.create();
  private final SdkMeterProvider provider =
      SdkMeterProvider.builder().registerMetricReader(reader).build();
  private final MetricsObserver metrics =
      MetricsObserver.create(provider.get("dev.holdfast"), "xds:///shop");

  @AfterEach
  void close() {
    metrics.close();
    provider.close();
  }

  @Test
  void countsValidAndInvalidUpdatesByServerAndType() {
    metrics.resourceUpdates(SERVER, TestType.CDS, 3, 1);
    metrics.resourceUpdates(SERVER, TestType.CDS, 2, 0);

    Attributes labels =
        Attributes.of(
            MetricsObserver.TARGET, "xds:///shop",
            MetricsObserver.SERVER, "xds:1",
            MetricsObserver.RESOURCE_TYPE, CLUSTER);
    assertThat(values("grpc.xds_client.resource_updates_valid")).isEqualTo(Map.of(labels, 5L));
    assertThat(values("grpc.xds_client.resource_updates_invalid")).isEqualTo(Map.of(labels, 1L));
  }

  @Test
  void countsTheFailuresOfAServer() {
    metrics.serverFailure(SERVER, Status.UNAVAILABLE);
    metrics.serverFailure(SERVER, Status.UNAVAILABLE);

    assertThat(values("grpc.xds_client.server_failure")).isEqualTo(Map.of(server("xds:1"), 2L));
  }

  @Test
  void showsWhetherAServerWorksWhileItIsUsed() {
    metrics.connected(SERVER, true);
    assertThat(values("grpc.xds_client.connected")).isEqualTo(Map.of(server("xds:1"), 1L));

    metrics.connected(SERVER, false);
    assertThat(values("grpc.xds_client.connected")).isEqualTo(Map.of(server("xds:1"), 0L));

    metrics.connected(SERVER, null);
    assertThat(values("grpc.xds_client.connected")).isEmpty();
  }

  @Test
  void aServerWithTwoConnectionsWorksIfBothDo() {
    metrics.connected(SERVER, true);
    metrics.connected(ServerConfig.insecure("xds:1", ServerFeature.FAIL_ON_DATA_ERRORS), false);

    assertThat(values("grpc.xds_client.connected")).isEqualTo(Map.of(server("xds:1"), 0L));
  }

  @Test
  void countsResourcesByAuthorityTypeAndState() {
    metrics.cacheStateChanged("#old", TestType.CDS, null, "requested");
    metrics.cacheStateChanged("#old", TestType.CDS, null, "requested");
    metrics.cacheStateChanged("a.example", TestType.CDS, null, "requested");
    metrics.cacheStateChanged("#old", TestType.CDS, "requested", "does_not_exist_but_cached");

    assertThat(values("grpc.xds_client.resources"))
        .isEqualTo(
            Map.of(
                resource("#old", "requested"), 1L,
                resource("#old", "does_not_exist_but_cached"), 1L,
                resource("a.example", "requested"), 1L));

    metrics.cacheStateChanged("#old", TestType.CDS, "requested", null);
    assertThat(values("grpc.xds_client.resources"))
        .doesNotContainKey(resource("#old", "requested"));
  }

  @Test
  void hasTheUnitsOfTheSpecification() {
    metrics.resourceUpdates(SERVER, TestType.CDS, 1, 1);
    metrics.serverFailure(SERVER, Status.UNAVAILABLE);
    metrics.connected(SERVER, true);
    metrics.cacheStateChanged("#old", TestType.CDS, null, "requested");

    assertThat(
            reader.collectAllMetrics().stream()
                .collect(Collectors.toMap(MetricData::getName, MetricData::getUnit)))
        .isEqualTo(
            Map.of(
                "grpc.xds_client.resource_updates_valid", "{resource}",
                "grpc.xds_client.resource_updates_invalid", "{resource}",
                "grpc.xds_client.server_failure", "{failure}",
                "grpc.xds_client.connected", "{bool}",
                "grpc.xds_client.resources", "{resource}"));
  }

  @Test
  void severalClientsReportSideBySideUntilClosed() {
    MetricsObserver other = MetricsObserver.create(provider.get("dev.holdfast"), "xds:///other");
    metrics.connected(SERVER, true);
    other.connected(SERVER, false);
    assertThat(values("grpc.xds_client.connected")).hasSize(2);

    other.close();
    assertThat(values("grpc.xds_client.connected")).isEqualTo(Map.of(server("xds:1"), 1L));
  }

  private static Attributes server(String uri) {
    return Attributes.of(MetricsObserver.TARGET, "xds:///shop", MetricsObserver.SERVER, uri);
  }

  private static Attributes resource(String authority, String state) {
    return Attributes.of(
        MetricsObserver.TARGET, "xds:///shop",
        MetricsObserver.AUTHORITY, authority,
        MetricsObserver.CACHE_STATE, state,
        MetricsObserver.RESOURCE_TYPE, CLUSTER);
  }

  private Map<Attributes, Long> values(String name) {
    Optional<MetricData> metric =
        reader.collectAllMetrics().stream().filter(m -> m.getName().equals(name)).findAny();
    return metric
        .map(
            data ->
                (data.getData() instanceof io.opentelemetry.sdk.metrics.data.SumData<?>
                        ? data.getLongSumData().getPoints()
                        : data.getLongGaugeData().getPoints())
                    .stream()
                        .collect(
                            Collectors.toMap(
                                LongPointData::getAttributes, LongPointData::getValue)))
        .orElse(Map.of());
  }
}
