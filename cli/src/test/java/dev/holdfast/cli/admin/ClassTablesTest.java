// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import dev.holdfast.cli.output.Style;
import java.time.Instant;
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
