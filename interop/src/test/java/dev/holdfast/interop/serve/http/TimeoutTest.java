// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.holdfast.interop.envoy.Answer;
import dev.holdfast.interop.envoy.Http;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** How long Envoy waits. */
class TimeoutTest {
  private static Stage stage;

  @BeforeAll
  static void start() {
    stage = Stage.start();
    stage.backend("slow").answer(Answer.OK.after(Duration.ofSeconds(10)));
  }

  @AfterAll
  static void stop() {
    stage.close();
  }

  private static Site with(String policy) {
    return stage.routes(
        """
        - services: [{name: slow, port: 80}]
          timeoutPolicy: {%s}
        """
            .formatted(policy));
  }

  private static JsonObject action(Site site) {
    return Dump.action(stage.admin(), site.host());
  }

  @Test
  void aResponseThatTakesTooLongIsGivenUp() {
    Http.Response response = with("response: 200ms").get("/").send();

    assertThat(response.status()).isEqualTo(504);
    assertThat(response.body()).isEqualTo("upstream request timeout");
  }

  @Test
  void aRequestOnWhichNothingMovesIsGivenUp() {
    Http.Response response = with("response: infinity, idle: 200ms").get("/").send();

    assertThat(response.status()).isEqualTo(504);
    assertThat(response.body()).isEqualTo("stream timeout");
  }

  @Test
  void infinityIsNoLimit() {
    JsonObject action = action(with("response: infinity, idle: infinite"));

    assertThat(action.get("timeout").getAsString()).isEqualTo("0s");
    assertThat(action.get("idle_timeout").getAsString()).isEqualTo("0s");
  }

  @Test
  void zeroLeavesItToEnvoy() {
    JsonObject action = action(with("response: 0s, idle: 0s"));

    assertThat(action.has("timeout")).isFalse();
    assertThat(action.has("idle_timeout")).isFalse();
  }
}
