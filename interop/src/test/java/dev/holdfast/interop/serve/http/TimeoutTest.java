// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.holdfast.interop.envoy.Answer;
import dev.holdfast.interop.envoy.Http;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** How long Envoy waits. */
@ParameterizedClass
@EnumSource(Stage.Protocol.class)
@SuppressWarnings("NullAway.Init") // set by JUnit
class TimeoutTest {
  private static Stage stage;

  @Parameter Stage.Protocol protocol;

  @BeforeParameterizedClassInvocation
  static void start(Stage.Protocol protocol) {
    stage = Stage.start(protocol);
    stage.backend("slow").answer(Answer.OK.after(Duration.ofSeconds(10)));
  }

  @AfterParameterizedClassInvocation
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
