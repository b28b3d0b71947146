// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.xds.data.orca.v3.OrcaLoadReport;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.services.MetricRecorder;
import io.grpc.xds.orca.OrcaServiceImpl;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** How Holdfast and grpc-xds share calls among servers that report their loads (gRFC A58). */
@Execution(ExecutionMode.CONCURRENT)
class WeightedRoundRobinTest {
  private final Stage stage = new Stage();
  private final ScheduledExecutorService timers = Executors.newScheduledThreadPool(1);

  @AfterEach
  void close() {
    stage.close();
    timers.shutdownNow();
  }

  private void serve(boolean outOfBand, Backend... backends) {
    stage.serve(backends);
    stage.ads.set(Xds.weightedByLoad("c", outOfBand));
  }

  private static OrcaLoadReport report(double cpu, double errors) {
    return OrcaLoadReport.newBuilder()
        .setRpsFractional(100)
        .setCpuUtilization(cpu)
        .setEps(errors)
        .build();
  }

  private static void awaitShare(ManagedChannel channel, String backend, int expected) {
    Stage.await(
        expected + " of 500 calls at " + backend,
        () -> Math.abs(Rpc.share(channel, 500).getOrDefault(backend, 0) - expected) <= 5);
    // Once it has the weights, it has them.
    assertThat(Rpc.share(channel, 500).get(backend)).isCloseTo(expected, Offset.offset(5));
  }

  @Test
  void bothShareCallsByWhatServersSayWithTheirAnswers() {
    Backend one = stage.backend("one");
    Backend two = stage.backend("two");
    serve(false, one, two);
    one.reports(report(0.2, 0));
    two.reports(report(0.8, 0));
    for (ManagedChannel channel : List.of(stage.channel(), stage.peer())) {
      awaitShare(channel, "one", 400);
    }
    two.reports(report(0.2, 20)); // a fifth of its calls fail, which counts like utilization
    for (ManagedChannel channel : List.of(stage.channel(), stage.peer())) {
      awaitShare(channel, "two", 167);
    }
  }

  @Test
  void bothShareCallsByWhatServersSayBesideThem() {
    Backend one = reporting("one", 0.3);
    Backend two = reporting("two", 0.1);
    serve(true, one, two);
    for (ManagedChannel channel : List.of(stage.channel(), stage.peer())) {
      awaitShare(channel, "two", 375);
    }
  }

  /** A server with the service of grpc-xds for reports beside the calls. */
  private Backend reporting(String name, double cpu) {
    MetricRecorder metrics = MetricRecorder.newInstance();
    metrics.setQpsMetric(100);
    metrics.setCpuUtilizationMetric(cpu);
    return stage.backend(
        name,
        InsecureServerCredentials.create(),
        builder ->
            builder.addService(
                OrcaServiceImpl.createService(timers, metrics, 100, TimeUnit.MILLISECONDS)));
  }

  @Test
  void serversThatReportNothingGetTheSameShare() {
    Backend one = stage.backend("one");
    Backend two = stage.backend("two");
    serve(true, one, two); // they do not even know the service
    for (ManagedChannel channel : List.of(stage.channel(), stage.peer())) {
      Stage.awaitBackend(channel, one);
      Stage.awaitBackend(channel, two);
      assertThat(Rpc.share(channel, 200).get("one")).isCloseTo(100, Offset.offset(1));
    }
  }
}
