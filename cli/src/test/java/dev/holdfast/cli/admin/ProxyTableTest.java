// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import dev.holdfast.cli.output.Style;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The table of proxies has a column for their identities if they have some. */
class ProxyTableTest {
  private static List<String> render(String identity) {
    return ProxyTable.render(
        JsonParser.parseString(
                """
                {"items": [{"node": "edge-1", "class": "envoy 1.39.0", "streams": [
                  {"address": "10.0.0.1:1", %s "protocol": "Delta", "since": "2026-01-01T00:00:00Z",
                   "types": []}]}]}
                """
                    .formatted(identity))
            .getAsJsonObject(),
        Instant.parse("2026-01-01T00:00:05Z"),
        200,
        Style.PLAIN);
  }

  @Test
  void identitiesAreShown() {
    assertThat(render("\"identity\": \"spiffe://a/edge-1\","))
        .containsExactly(
            "NODE    IDENTITY           CLASS         ADDRESS     PROTOCOL  AGE  RESOURCES  STATE",
            "edge-1  spiffe://a/edge-1  envoy 1.39.0  10.0.0.1:1  Delta     5s   0          synced");
    assertThat(render("").get(0)).doesNotContain("IDENTITY");
  }

  @Test
  void aScoutIsShownAsOne() {
    assertThat(scout("").get(1).stripTrailing()).endsWith("scout");
    assertThat(scout("no proxy of its class is connected"))
        .anyMatch(line -> line.contains("scout, not asked"))
        .anyMatch(line -> line.contains("no proxy of its class is connected"));
  }

  private static List<String> scout(String idle) {
    return ProxyTable.render(
        JsonParser.parseString(
                """
                {"items": [{"node": "scout-1", "class": "envoy 1.39.0", "scout": {"idle": "%s"},
                  "streams": [{"address": "10.0.0.1:1", "protocol": "Delta",
                    "since": "2026-01-01T00:00:00Z", "types": []}]}]}
                """
                    .formatted(idle))
            .getAsJsonObject(),
        Instant.parse("2026-01-01T00:00:05Z"),
        200,
        Style.PLAIN);
  }

  @Test
  void fleetsThatAreTooSmallAreToldBelow() {
    String fleets =
        """
        {"items": [%s], "fleets": [
          {"name": "all", "expected": 2, "connected": 2, "missingSince": null},
          {"name": "edge", "expected": 20, "connected": 1, "missingSince": "2026-01-01T00:00:00Z"}]}
        """;
    String proxy =
        """
        {"node": "edge-1", "class": "c", "streams": [{"address": "a", "protocol": "Delta",
          "since": "2026-01-01T00:00:00Z", "types": []}]}
        """;

    assertThat(table(fleets.formatted(proxy)))
        .hasSize(5)
        .endsWith(
            "",
            "2 of 2 expected proxies are connected",
            "fleet edge: 1 of 20 expected proxies are connected, fewer for 5s");
    assertThat(table(fleets.formatted(""))).hasSize(2);
  }

  @Test
  void whatAProxyRejectedOnceIsNoState() {
    String proxy =
        """
        {"items": [{"node": "edge-1", "class": "c", "streams": [{"address": "a",
          "protocol": "Delta", "since": "2026-01-01T00:00:00Z", "types": [{"type": "Cluster",
          "versionSent": "v2", "versionAccepted": "v1", "resources": 1,
          "lastError": {"message": "bad", "at": "2026-01-01T00:00:00Z"}, "refuses": [%s]}]}]}]}
        """;

    assertThat(table(proxy.formatted("")).get(1)).contains("synced");
    assertThat(table(proxy.formatted("\"x\"")).get(1)).contains("rejected");
  }

  private static List<String> table(String json) {
    return ProxyTable.render(
        JsonParser.parseString(json).getAsJsonObject(),
        Instant.parse("2026-01-01T00:00:05Z"),
        200,
        Style.PLAIN);
  }
}
