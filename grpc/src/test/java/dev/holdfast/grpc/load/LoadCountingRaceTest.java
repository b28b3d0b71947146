// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.LoadTotals;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterStats;
import io.envoyproxy.envoy.service.load_stats.v3.LoadStatsRequest;
import io.grpc.ClientStreamTracer;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Many threads count while one reads and forgets half of what it read. */
class LoadCountingRaceTest {
  private static final int THREADS = 8;
  private static final int CALLS = 20_000;

  @Test
  void everyCallIsReportedOnceAndNoReportContradictsItself() throws InterruptedException {
    ClusterLoad load = new ClusterLoad("c", "", 0);
    CountDownLatch done = new CountDownLatch(THREADS);
    for (int t = 0; t < THREADS; t++) {
      new Thread(
              () -> {
                for (int i = 0; i < CALLS; i++) {
                  if (i % 10 == 0) {
                    load.dropped(i % 20 == 0 ? "a" : "b");
                  } else {
                    ClientStreamTracer call = Reporting.begin(load, Reporting.HERE);
                    call.streamClosed(i % 3 == 0 ? Status.INTERNAL : Status.OK);
                  }
                }
                done.countDown();
              })
          .start();
    }
    List<LoadStatsRequest> reports = new ArrayList<>();
    long underWay = 0;
    for (int round = 0; done.getCount() > 0 || round % 2 == 0; round++) {
      ClusterStats stats = load.read(round);
      if (round % 2 == 0) {
        load.notSent();
        continue;
      }
      load.sent();
      LoadStatsRequest report = LoadStatsRequest.newBuilder().addClusterStats(stats).build();
      LoadTotals one = LoadTotals.of("c", List.of(report));
      underWay += one.issued() - one.succeeded() - one.failed();
      assertThat(one.underWay()).isEqualTo(underWay).isBetween(0L, (long) THREADS);
      reports.add(report);
    }
    ClusterStats last = load.read(0);
    load.sent();
    reports.add(LoadStatsRequest.newBuilder().addClusterStats(last).build());

    int failed = 0;
    int succeeded = 0;
    for (int i = 0; i < CALLS; i++) {
      if (i % 10 != 0) {
        failed += i % 3 == 0 ? 1 : 0;
        succeeded += i % 3 == 0 ? 0 : 1;
      }
    }
    assertThat(LoadTotals.of("c", reports))
        .isEqualTo(
            new LoadTotals(
                (long) THREADS * (succeeded + failed),
                (long) THREADS * succeeded,
                (long) THREADS * failed,
                0,
                (long) THREADS * CALLS / 10));
    assertThat(LoadTotals.drops("c", reports))
        .containsEntry("a", (long) THREADS * CALLS / 20)
        .containsEntry("b", (long) THREADS * CALLS / 20);
    assertThat(load.isDone()).isTrue();
  }
}
