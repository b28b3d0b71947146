// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.google.gson.JsonObject;
import dev.holdfast.interop.envoy.Answer;
import dev.holdfast.interop.envoy.Backend;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When a request is tried again, and how often. */
@ParameterizedClass
@EnumSource(Stage.Protocol.class)
@SuppressWarnings("NullAway.Init") // set by JUnit
class RetryTest {
  private static final Answer CLOSE = Answer.OK.instead(Answer.Instead.CLOSE);
  private static final Answer REFUSE = Answer.OK.instead(Answer.Instead.REFUSE);

  private static Stage stage;
  private static Backend flaky;

  @Parameter Stage.Protocol protocol;

  @BeforeParameterizedClassInvocation
  static void start(Stage.Protocol protocol) {
    stage = Stage.start(protocol);
    flaky = stage.backend("flaky");
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    stage.close();
  }

  private static Site with(String policy) {
    return with(policy, "");
  }

  private static Site with(String policy, String service) {
    return stage.routes(
        """
        - services: [{name: flaky, port: 80 %s}]
          retryPolicy: {%s}
        """
            .formatted(service, policy));
  }

  /** Answers the first request for each path in one way, and the others well. */
  private static void first(Answer answer) {
    Map<String, Integer> tries = new ConcurrentHashMap<>();
    flaky.answer(echo -> tries.merge(echo.path(), 1, Integer::sum) == 1 ? answer : Answer.OK);
  }

  /** How often the backend is asked for a path. */
  private static int tries(Site site, String path) {
    int before = flaky.count();
    site.get(path).send();
    return flaky.count() - before;
  }

  static Stream<Arguments> reasons() {
    return Stream.of(
        arguments("5xx", Answer.OK.status(500), Answer.OK.status(404)),
        arguments("gateway-error", Answer.OK.status(502), Answer.OK.status(500)),
        arguments("retriable-4xx", Answer.OK.status(409), Answer.OK.status(404)),
        arguments("retriable-status-codes", Answer.OK.status(418), Answer.OK.status(500)),
        arguments(
            "envoy-ratelimited",
            Answer.OK.status(429).header("x-envoy-ratelimited", "true"),
            Answer.OK.status(429)),
        arguments("reset", CLOSE, Answer.OK.status(500)),
        arguments("cancelled", grpc(1), grpc(2)),
        arguments("deadline-exceeded", grpc(4), grpc(2)),
        arguments("resource-exhausted", grpc(8), grpc(2)),
        arguments("internal", grpc(13), grpc(2)),
        arguments("unavailable", grpc(14), grpc(2)));
  }

  private static Answer grpc(int status) {
    return Answer.OK.header("grpc-status", Integer.toString(status));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("reasons")
  void whatTheRouteNamesIsTriedAgainAndNothingElse(String on, Answer named, Answer other) {
    Site site = with("retryOn: [" + on + "], retriableStatusCodes: [418, 425]");

    first(named);
    assertThat(tries(site, "/named")).isEqualTo(2);
    assertThat(site.answers("/named")).isEqualTo("flaky");
    first(other);
    assertThat(tries(site, "/other")).isEqualTo(1);
  }

  @Test
  void aStreamThatIsRefusedIsTriedAgain() {
    first(REFUSE);

    assertThat(tries(with("retryOn: [refused-stream]", ", protocol: h2c"), "/")).isEqualTo(2);
    first(REFUSE);
    assertThat(tries(with("retryOn: [cancelled]", ", protocol: h2c"), "/")).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"connect-failure", "reset-before-request"})
  void anEndpointThatCannotBeReachedIsTriedAgainElsewhere(String on) throws IOException {
    try (Socket gone = new Socket()) { // nobody listens, and nobody else is given the port
      gone.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      stage.service("half", gone.getLocalPort(), stage.one.port());
      Site site =
          stage.routes(
              """
              - conditions: [{prefix: /again}]
                services: [{name: half, port: 80}]
                retryPolicy: {retryOn: [%s]}
              - services: [{name: half, port: 80}]
              """
                  .formatted(on));
      stage.admin().await("both are known", () -> site.answers("/").equals("503"));

      assertThat(site.ask(10, "/again")).isEqualTo(Map.of("one", 10));
      assertThat(site.ask(10, "/")).containsKeys("one", "503");
    }
  }

  /** Reasons that no backend of ours can give reach Envoy all the same, in the order given. */
  @Test
  void allReasonsReachEnvoyInTheirOrder() {
    Site site =
        with("retryOn: [retriable-headers, http3-post-connect-failure, reset-before-request, 5xx]");

    JsonObject policy = Dump.action(stage.admin(), site.host()).getAsJsonObject("retry_policy");
    assertThat(policy.get("retry_on").getAsString())
        .isEqualTo("retriable-headers,http3-post-connect-failure,reset-before-request,5xx");
  }

  @Test
  void withoutReasonsServerErrorsAreTriedAgain() {
    Site site = with("count: 1");

    first(Answer.OK.status(500));
    assertThat(tries(site, "/bad")).isEqualTo(2);
    first(Answer.OK.status(404));
    assertThat(tries(site, "/missing")).isEqualTo(1);
  }

  @Test
  void withoutAPolicyNothingIsTriedAgain() {
    Site site = stage.routes("- services: [{name: flaky, port: 80}]");
    first(Answer.OK.status(500));

    assertThat(tries(site, "/")).isEqualTo(1);
  }

  @Test
  void theCountIsHowManyMoreTimesMinusOneIsNeverAndZeroIsOnce() {
    flaky.answer(Answer.OK.status(500));

    assertThat(tries(with("retryOn: [5xx]"), "/")).isEqualTo(2);
    assertThat(tries(with("retryOn: [5xx], count: 3"), "/")).isEqualTo(4);
    assertThat(tries(with("retryOn: [5xx], count: -1"), "/")).isEqualTo(1);
    assertThat(tries(with("retryOn: [5xx], count: 0"), "/")).isEqualTo(2);
  }

  @Test
  void aTryThatTakesTooLongIsTriedAgain() {
    first(Answer.OK.after(Duration.ofSeconds(30)));
    Site site = with("retryOn: [5xx], perTryTimeout: 3s"); // enough for the second try

    assertThat(site.answers("/slow")).isEqualTo("flaky");
    assertThat(flaky.requests().stream().filter(echo -> echo.path().equals("/slow"))).hasSize(2);
  }

  @Test
  void aTryWithoutLimitHasThatOfTheRoute() {
    for (String limit : List.of("infinity", "infinite", "0s")) {
      Site site = with("perTryTimeout: " + limit);

      JsonObject policy = Dump.action(stage.admin(), site.host()).getAsJsonObject("retry_policy");
      assertThat(policy.has("per_try_timeout")).as(limit).isFalse();
    }
  }
}
