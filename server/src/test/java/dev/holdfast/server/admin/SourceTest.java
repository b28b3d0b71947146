// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How current the objects are is told wherever an operator looks. */
@SuppressWarnings("NullAway.Init") // set by start()
class SourceTest {
  private RunningAdmin admin;

  @BeforeEach
  void start() throws Exception {
    admin = new RunningAdmin();
  }

  @AfterEach
  void stop() {
    admin.close();
  }

  private static SourceReport.Kind kind(String kind, String state, String reason) {
    return new SourceReport.Kind(kind, "", state, reason, Instant.EPOCH, 7);
  }

  private static SourceReport of(SourceReport.Kind... kinds) {
    return new SourceReport("kubernetes", "Kubernetes", "pod-1", List.of(kinds), 3);
  }

  @Test
  void aStaleKindLeavesTheServerReadyAndIsNamed() throws Exception {
    admin.source =
        of(kind("Secret", "current", ""), kind("HTTPProxy", "stale", "connection refused"));

    assertThat(admin.get("/readyz").statusCode()).as("proxies are still served").isEqualTo(200);
    assertThat(admin.get("/readyz").body())
        .isEqualTo(
            "ready, but the source is stale since 1970-01-01T00:00:00.000Z: HTTPProxy stale:"
                + " connection refused\n");
    assertThat(admin.get("/metrics").body())
        .contains("holdfast_source_stale_seconds{kind=\"Secret\",namespace=\"\"} 0.0\n")
        .containsPattern("holdfast_source_stale_seconds\\{kind=\"HTTPProxy\",namespace=\"\"} [1-9]")
        .contains("holdfast_statuses_waiting 3\n");
    assertThat(admin.get("/api/v1/source").body())
        .isEqualTo(
            ("{'type':'kubernetes','place':'Kubernetes','leader':'pod-1','waitingStatuses':3,'kinds':["
                    + "{'kind':'Secret','namespace':'','state':'current','reason':'',"
                    + "'since':'1970-01-01T00:00:00.000Z','objects':7},"
                    + "{'kind':'HTTPProxy','namespace':'','state':'stale',"
                    + "'reason':'connection refused','since':'1970-01-01T00:00:00.000Z','objects':7}]}")
                .replace('\'', '"'));
  }

  @Test
  void aKindThatNobodyInstalledIsNotStale() throws Exception {
    admin.source = of(kind("ExtensionPolicy", "unknown", "no such kind"));

    assertThat(admin.get("/readyz").body()).isEqualTo("ready\n");
    assertThat(admin.get("/metrics").body())
        .contains("holdfast_source_stale_seconds{kind=\"ExtensionPolicy\",namespace=\"\"} 0.0\n");
  }
}
