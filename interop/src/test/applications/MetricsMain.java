// SPDX-License-Identifier: Apache-2.0
package application;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannelBuilder;
import io.grpc.opentelemetry.GrpcOpenTelemetry;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.PointData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import java.util.List;

/** An application with the metrics of grpc-opentelemetry: it prints what they say of a call. */
public final class MetricsMain {
  private MetricsMain() {}

  public static void main(String[] args) throws InterruptedException {
    InMemoryMetricReader reader = InMemoryMetricReader.create();
    OpenTelemetrySdk sdk =
        OpenTelemetrySdk.builder()
            .setMeterProvider(SdkMeterProvider.builder().registerMetricReader(reader).build())
            .build();
    GrpcOpenTelemetry telemetry =
        GrpcOpenTelemetry.newBuilder()
            .sdk(sdk)
            .addOptionalLabel("grpc.lb.locality")
            .addOptionalLabel("grpc.lb.backend_service")
            .enableMetrics(
                List.of(
                    "grpc.xds_client.connected",
                    "grpc.xds_client.resources",
                    "grpc.xds_client.resource_updates_valid"))
            .build();
    ManagedChannelBuilder<?> builder =
        Grpc.newChannelBuilder(args[0], InsecureChannelCredentials.create());
    telemetry.configureChannelBuilder(builder);
    Main.call(builder, () -> print(reader)); // gauges are gone with the channel
    print(reader);
  }

  private static void print(InMemoryMetricReader reader) {
    for (MetricData metric : reader.collectAllMetrics()) {
      for (PointData point : metric.getData().getPoints()) {
        System.out.println(metric.getName() + " " + point.getAttributes().asMap());
      }
    }
  }
}
