// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Resources;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** gRFC A44, as servers and callers see it. */
@Execution(ExecutionMode.CONCURRENT)
class RetriesTest {
  private static final String ALL =
      "cancelled, deadline-exceeded,internal,resource-exhausted,unavailable";
  private static final Status SICK = Status.UNAVAILABLE.withDescription("sick");

  private final Stage stage = new Stage();
  private final Backend one = stage.backend("one");

  @AfterEach
  void close() {
    stage.close();
  }

  private static String policy(String retryOn, String fields) {
    return "\"retry_policy\": {\"retry_on\": \"%s\"%s}"
        .formatted(retryOn, fields.isEmpty() ? "" : ", " + fields);
  }

  private void serve(String routeFields) {
    stage.serve(one);
    stage.ads.set(Xds.routes(Xds.route(routeFields)));
  }

  @Test
  void attemptsLandOnOtherServers() {
    Backend two = stage.backend("two");
    stage.serve(one, two);
    stage.ads.set(Xds.routes(Xds.route(policy("unavailable", ""))));
    ManagedChannel channel = stage.channel();
    Stage.awaitBackend(channel, one);
    Stage.awaitBackend(channel, two);
    one.failAlways(SICK);
    int before = one.calls();
    assertThat(Rpc.share(channel, 20)).containsOnlyKeys("two");
    assertThat(one.calls()).isGreaterThan(before);
    assertThat(two.lastHeader("grpc-previous-rpc-attempts")).isIn("", "1");
  }

  @ParameterizedTest
  @EnumSource(
      value = Status.Code.class,
      names = {"CANCELLED", "DEADLINE_EXCEEDED", "INTERNAL", "RESOURCE_EXHAUSTED", "UNAVAILABLE"})
  void fiveCodesCanBeRetried(Status.Code code) {
    serve(policy(ALL, ""));
    one.failNext(1, code.toStatus().withDescription("once"));
    assertThat(Rpc.call(stage.channel()).backend()).isEqualTo("one");
    assertThat(one.calls()).isEqualTo(2);
    assertThat(one.lastHeader("grpc-previous-rpc-attempts")).isEqualTo("1");
  }

  @ParameterizedTest
  @CsvSource({
    "unavailable, INTERNAL",
    "'aborted,unavailable', ABORTED",
    "'5xx,connect-failure', UNAVAILABLE",
    "'', UNAVAILABLE"
  })
  void whatIsNotListedOrNotKnownIsNotRetried(String retryOn, Status.Code code) {
    serve(policy(retryOn, "\"num_retries\": 3"));
    one.failNext(1, code.toStatus().withDescription("once"));
    Rpc.Outcome outcome = Rpc.call(stage.channel());
    assertThat(outcome.code()).isEqualTo(code);
    assertThat(outcome.text()).contains("once");
    assertThat(one.calls()).isEqualTo(1);
    assertThat(stage.ads.wasRefused()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "'', 2",
    "'\"num_retries\": 1', 2",
    "'\"num_retries\": 3', 4",
    "'\"num_retries\": 10', 5",
    "'\"num_retries\": 4294967295', 5"
  })
  void attemptsAreLimited(String fields, int attempts) {
    serve(policy("unavailable", fields));
    one.failAlways(SICK);
    Rpc.Outcome outcome = Rpc.call(stage.channel());
    assertThat(outcome.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(outcome.text()).contains("sick");
    assertThat(one.calls()).isEqualTo(attempts);
  }

  @Test
  void attemptsWaitForTheBackoff() {
    serve(
        policy(
            "unavailable",
            "\"num_retries\": 1, \"retry_back_off\": {\"base_interval\": \"0.5s\"}"));
    one.failNext(1, SICK);
    long before = System.nanoTime();
    assertThat(Rpc.call(stage.channel()).isOk()).isTrue();
    // Varied by a fifth either way.
    assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(400_000_000L);
  }

  @Test
  void serverCanForbidARetry() {
    serve(policy("unavailable", "\"num_retries\": 3"));
    one.failNext(1, SICK, Rpc.headers("grpc-retry-pushback-ms", "-1"));
    assertThat(Rpc.call(stage.channel()).text()).contains("sick");
    assertThat(one.calls()).isEqualTo(1);
  }

  @Test
  void serverCanDelayARetry() {
    serve(policy("unavailable", "\"retry_back_off\": {\"base_interval\": \"0.001s\"}"));
    one.failNext(1, SICK, Rpc.headers("grpc-retry-pushback-ms", "600"));
    long before = System.nanoTime();
    assertThat(Rpc.call(stage.channel()).isOk()).isTrue();
    assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(600_000_000L);
  }

  @Test
  void channelThatDisablesRetriesChecksThePolicyButDoesNotUseIt() {
    serve(policy("unavailable", "\"num_retries\": 3"));
    ManagedChannel channel = stage.open(stage.builder(options -> options).disableRetry());
    one.failNext(1, SICK);
    assertThat(Rpc.call(channel).text()).contains("sick");
    assertThat(one.calls()).isEqualTo(1);
    stage.ads.set(Xds.routes(Xds.route(policy("unavailable", "\"num_retries\": 0"))));
    assertThat(stage.ads.awaitNack()).contains("num_retries");
  }

  @Test
  void policyOfTheVirtualHostIsForRoutesWithoutOne() {
    stage.serve(one);
    stage.ads.set(Xds.host(policy("unavailable", "\"num_retries\": 2") + ",", Xds.route("")));
    one.failNext(2, SICK);
    assertThat(Rpc.call(stage.channel()).isOk()).isTrue();
    assertThat(one.calls()).isEqualTo(3);
  }

  @Test
  void policyOfTheRouteIsStrongerThanThatOfTheVirtualHost() {
    stage.serve(one);
    stage.ads.set(
        Xds.host(
            policy("unavailable", "\"num_retries\": 4") + ",",
            Xds.route(policy("unavailable", "\"num_retries\": 1"))));
    one.failAlways(SICK);
    assertThat(Rpc.call(stage.channel()).isOk()).isFalse();
    assertThat(one.calls()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"num_retries\": 0 | num_retries",
        "\"retry_back_off\": {} | base_interval",
        "\"retry_back_off\": {\"max_interval\": \"1s\"} | base_interval",
        "\"retry_back_off\": {\"base_interval\": \"0s\"} | base_interval",
        "\"retry_back_off\": {\"base_interval\": \"-1s\"} | base_interval",
        "\"retry_back_off\": {\"base_interval\": \"1s\", \"max_interval\": \"0s\"} | max_interval",
        "\"retry_back_off\": {\"base_interval\": \"1s\", \"max_interval\": \"0.5s\"} | max_interval"
      })
  void policyThatIsInvalidIsRefusedByTheNameOfItsFieldAndCallsKeepTheOldOne(
      String fields, String named) {
    serve(policy("unavailable", "\"num_retries\": 2"));
    ManagedChannel channel = stage.channel();
    assertThat(Rpc.call(channel).isOk()).isTrue();
    stage.ads.set(Xds.routes(Xds.route(policy("unavailable", fields))));
    assertThat(stage.ads.awaitNack()).contains("r: ", "retry_policy", named);
    one.failNext(2, SICK);
    assertThat(Rpc.call(channel).isOk()).isTrue();
    assertThat(one.calls()).isEqualTo(4);
    // And it is invalid wherever it stands.
    stage.ads.set(Xds.host(policy("unavailable", fields) + ",", Xds.route("")));
    assertThat(stage.ads.awaitNack()).contains("retry_policy", named);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"per_try_timeout\": \"0.001s\"", "\"retriable_status_codes\": [503]"})
  void otherFieldsHaveNoEffect(String fields) throws Exception {
    serve(policy("unavailable", fields));
    assertThat(Rpc.call(stage.channel()).isOk()).isTrue();
    assertThat(stage.ads.wasRefused()).isFalse();
  }

  @Test
  void callsToOtherClustersAfterAnUpdateHaveTheNewPolicy() {
    serve(policy("unavailable", ""));
    ManagedChannel channel = stage.channel();
    assertThat(Rpc.call(channel).isOk()).isTrue();
    Backend two = stage.backend("two");
    stage.ads.set(
        Resources.edsCluster("d"),
        Resources.endpoints("d", two.port()),
        Xds.routes(
            "{\"match\": {\"prefix\": \"\"}, \"route\": {\"cluster\": \"d\", "
                + policy("internal", "\"num_retries\": 3")
                + "}}"));
    Stage.awaitBackend(channel, two);
    two.failNext(3, Status.INTERNAL);
    assertThat(Rpc.call(channel, Rpc.METHOD, new Metadata()).isOk()).isTrue();
  }
}
