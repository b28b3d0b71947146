// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the admin API answers, as the demo reads it. */
class AdminApiTest {
  private static JsonObject json(String text) {
    return JsonParser.parseString(text).getAsJsonObject();
  }

  @Test
  void anObjectIsInForceIfItsConditionSaysSo() {
    ObjectState state =
        ObjectState.of(
            json(
                """
                {"kind": "HTTPProxy", "namespace": "shop", "name": "cart", "generation": 3,
                 "servedGeneration": 2,
                 "conditions": [
                   {"type": "Programmed", "status": "False", "reason": "Rejected", "message": "no"},
                   {"type": "Valid", "status": "True", "reason": "Valid", "message": ""}],
                 "proxies": {"total": 2, "programmed": 1, "pending": 0, "rejected": 1}}
                """));

    assertThat(state)
        .isEqualTo(new ObjectState("HTTPProxy", "cart", 3, 2, "False", "Rejected", "no", 1, 2));
    assertThat(state.isProgrammed()).isFalse();
    assertThat(state.id()).isEqualTo("HTTPProxy/cart");
  }

  @Test
  void anObjectOfWhichNothingIsSaidYetIsNotInForce() {
    ObjectState state =
        ObjectState.of(
            json(
                """
                {"kind": "Service", "name": "v1", "generation": 1, "servedGeneration": 0,
                 "conditions": [], "proxies": {"total": 0, "programmed": 0}}
                """));
    assertThat(state.isProgrammed()).isFalse();
  }

  @Test
  void aSearchHasItsTrialsInOrder() {
    JsonObject json =
        json(
            """
            {"id": 4, "class": "envoy 1.39.0", "message": "script load error",
             "resource": {"type": "RouteConfiguration", "name": "ingress_http"},
             "trials": [
               {"afterMillis": 0.0, "changes": 2, "canaries": ["e"], "answer": "refused"},
               {"afterMillis": 7.5, "changes": 1, "canaries": ["e"], "answer": "accepted"}],
             "culprits": [{"kind": "HTTPProxy", "namespace": "shop", "name": "web"}],
             "tookMillis": 81.5}
            """);

    assertThat(Incident.isOver(json)).isTrue();
    assertThat(Incident.of(json))
        .isEqualTo(
            new Incident(
                "envoy 1.39.0",
                "RouteConfiguration ingress_http",
                "script load error",
                List.of(
                    new Incident.Trial(0, 2, "refused"), new Incident.Trial(7.5, 1, "accepted")),
                List.of("HTTPProxy/web"),
                81.5));
  }

  @Test
  void aSearchThatGoesOnIsNotOver() {
    assertThat(Incident.isOver(json("{\"tookMillis\": null}"))).isFalse();
  }
}
