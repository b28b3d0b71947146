// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import dev.holdfast.cli.output.Style;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What tables say where proxies disagree. */
class ClassTablesTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:01:00Z");

  @Test
  void aProxyThatDivergedSaysSoInsteadOfItsErrors() {
    assertThat(
            ProxyTable.render(
                JsonParser.parseString(
                        """
                        {"items": [{"node": "edge-1", "class": "envoy 1.39.0",
                          "diverged": {"since": "2026-01-01T00:00:00Z", "message": "too big"},
                          "streams": [{"address": "a:1", "protocol": "Delta",
                            "since": "2026-01-01T00:00:00Z",
                            "types": [{"type": "Cluster", "resources": 1,
                              "lastError": {"message": "bad lua"}}]}]}]}
                        """)
                    .getAsJsonObject(),
                NOW,
                200,
                Style.PLAIN))
        .last()
        .asString()
        .contains("diverged")
        .endsWith("other proxies of its class run this: too big");
  }

  @Test
  void aProxyThatRefusesARemovalSaysWhatItKeeps() {
    assertThat(
            ProxyTable.render(
                JsonParser.parseString(
                        """
                        {"items": [{"node": "edge-1", "class": "envoy 1.39.0",
                          "streams": [{"address": "a:1", "protocol": "Delta",
                            "since": "2026-01-01T00:00:00Z",
                            "types": [{"type": "Cluster", "resources": 1,
                              "lastError": {"message": "too few clusters"},
                              "refusedRemovals": [{"resource": "shop/a/80"},
                                {"resource": "shop/b/80"}]}]}]}]}
                        """)
                    .getAsJsonObject(),
                NOW,
                200,
                Style.PLAIN))
        .last()
        .asString()
        .endsWith(
            "Cluster: keeps shop/a/80 and 1 more, whose removal it refuses: too few clusters");
  }

  @Test
  void anErrorThatLaterAnswersPutRightIsHistory() {
    assertThat(stateAfterAnError("\"v2\"", "\"v1\"", "null")).contains("rejected", "bad lua");
    assertThat(stateAfterAnError("\"v3\"", "\"v3\"", "null")).endsWith("synced");
    assertThat(stateAfterAnError("\"v3\"", "\"v3\"", "\"2026-01-01T00:01:00Z\""))
        .contains("rejected", "bad lua");
  }

  private static String stateAfterAnError(String sent, String accepted, String retryAt) {
    List<String> lines =
        ProxyTable.render(
            JsonParser.parseString(
                    """
                    {"items": [{"node": "edge-1", "class": "envoy 1.39.0",
                      "streams": [{"address": "a:1", "protocol": "Delta",
                        "since": "2026-01-01T00:00:00Z",
                        "types": [{"type": "Cluster", "resources": 1, "pendingSince": null,
                          "versionSent": %s, "versionAccepted": %s,
                          "lastError": {"message": "bad lua", "retryAt": %s}}]}]}]}
                    """
                        .formatted(sent, accepted, retryAt))
                .getAsJsonObject(),
            NOW,
            200,
            Style.PLAIN);
    return lines.get(lines.size() - 1);
  }

  @Test
  void aHoldForOneClassSaysSo() {
    assertThat(
            HoldTable.render(
                JsonParser.parseString(
                        """
                        {"items": [{"kind": "HTTPProxy", "namespace": "shop", "name": "web",
                          "generation": 2, "servedGeneration": 1, "reason": "Rejected",
                          "heldFor": "envoy 1.36.0", "class": "envoy 1.36.0",
                          "resource": {"type": "RouteConfiguration", "name": "ingress_http"},
                          "message": "too big", "since": "2026-01-01T00:00:00Z"}]}
                        """)
                    .getAsJsonObject(),
                NOW,
                200,
                Style.PLAIN))
        .last()
        .asString()
        .endsWith("held for this class only: RouteConfiguration/ingress_http: too big");
  }
}
