// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Answer;
import dev.holdfast.interop.envoy.Echo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Browsers that call gRPC services. */
@ParameterizedClass
@EnumSource(Stage.Protocol.class)
@SuppressWarnings("NullAway.Init") // set by JUnit
class GrpcWebTest {
  private static Stage stage;

  @Parameter Stage.Protocol protocol;

  @BeforeParameterizedClassInvocation
  static void start(Stage.Protocol protocol) {
    stage = Stage.start(protocol);
    stage.one.answer(echo -> Answer.OK.header("content-type", echo.header("content-type")));
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    stage.close();
  }

  @Test
  void aGrpcServiceSeesAnOrdinaryCall() {
    Site site = stage.routes("- services: [{name: one, port: 80, protocol: h2c}]");

    var response =
        site.post("/shop.Cart/Add", "\0\0\0\0\0")
            .header("content-type", "application/grpc-web+proto")
            .send();
    Echo seen = stage.one.requests().get(stage.one.count() - 1);

    assertThat(seen.header("content-type")).isEqualTo("application/grpc");
    assertThat(seen.header("te")).isEqualTo("trailers");
    assertThat(response.header("content-type")).isEqualTo("application/grpc-web+proto");
  }

  @Test
  void otherRequestsAreLeftAlone() {
    Site site = stage.routes("- services: [{name: one, port: 80}]");

    var response = site.post("/", "{}").header("content-type", "application/json").send();
    Echo seen = stage.one.requests().get(stage.one.count() - 1);

    assertThat(response.status()).isEqualTo(200);
    assertThat(seen.header("content-type")).isEqualTo("application/json");
  }
}
