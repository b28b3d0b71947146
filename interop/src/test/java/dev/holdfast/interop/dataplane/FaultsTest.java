// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.ListenableFuture;
import dev.holdfast.testkit.Resources;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP filters (gRFC A39) and faults (gRFC A33), of Holdfast and of grpc-xds side by side. */
@Execution(ExecutionMode.CONCURRENT)
class FaultsTest {
  private static final String ALL = ", \"percentage\": {\"numerator\": 100}}";

  private final Stage stage = new Stage();
  private final Backend one = stage.backend("one");

  @AfterEach
  void close() {
    stage.close();
  }

  private List<ManagedChannel> both() {
    return List.of(stage.channel(), stage.peer());
  }

  private static String abort(int grpcStatus) {
    return "\"abort\": {\"grpc_status\": " + grpcStatus + ALL;
  }

  private static String delay(String duration) {
    return "\"delay\": {\"fixed_delay\": \"" + duration + "\"" + ALL;
  }

  private static Rpc.Outcome call(ManagedChannel channel, String... headers) {
    return Rpc.call(channel, Rpc.METHOD, Rpc.headers(headers));
  }

  @ParameterizedTest
  @CsvSource({
    "'\"grpc_status\": 10', ABORTED",
    "'\"grpc_status\": 99', UNKNOWN",
    "'\"http_status\": 200', UNKNOWN",
    "'\"http_status\": 400', INTERNAL",
    "'\"http_status\": 401', UNAUTHENTICATED",
    "'\"http_status\": 403', PERMISSION_DENIED",
    "'\"http_status\": 404', UNIMPLEMENTED",
    "'\"http_status\": 429', UNAVAILABLE",
    "'\"http_status\": 418', UNKNOWN",
    "'\"http_status\": 503', UNAVAILABLE"
  })
  void bothAbortWithTheSameStatus(String status, Status.Code code) {
    stage.serve(one);
    stage.ads.set(Xds.listener(Xds.fault("\"abort\": {" + status + ALL)));
    for (ManagedChannel channel : both()) {
      Rpc.Outcome outcome = call(channel);
      assertThat(outcome.code()).isEqualTo(code);
      assertThat(outcome.text()).contains("fault injection");
    }
    assertThat(one.calls()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void bothReadTheHeadersOfCallsThatAskForAFault(boolean optional) {
    stage.serve(one);
    String fault = Xds.fault("\"abort\": {\"header_abort\": {}" + ALL);
    stage.ads.set(
        Xds.listener(optional ? fault.replaceFirst("\\{", "{\"is_optional\": true, ") : fault));
    for (ManagedChannel channel : both()) {
      assertThat(call(channel).isOk()).isTrue();
      assertThat(call(channel, "x-envoy-fault-abort-grpc-request", "3").code())
          .isEqualTo(Status.Code.INVALID_ARGUMENT);
      assertThat(call(channel, "x-envoy-fault-abort-request", "404").code())
          .isEqualTo(Status.Code.UNIMPLEMENTED);
      assertThat(
              call(
                      channel,
                      "x-envoy-fault-abort-request",
                      "404",
                      "x-envoy-fault-abort-request-percentage",
                      "0")
                  .isOk())
          .isTrue();
      assertThat(call(channel, "x-envoy-fault-abort-request", "many").isOk()).isTrue();
    }
  }

  @Test
  void bothDelayCalls() {
    stage.serve(one);
    stage.ads.set(Xds.listener(Xds.fault(delay("0.2s"))));
    for (ManagedChannel channel : both()) {
      long before = System.nanoTime();
      assertThat(call(channel).backend()).isEqualTo("one");
      assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(200_000_000L);
    }
  }

  @Test
  void bothEndDelayedCallsAtTheirDeadline() {
    stage.serve(one);
    stage.ads.set(
        Xds.listener(Xds.fault(delay("30s"))),
        Xds.routes(
            "{\"match\": {\"prefix\": \"/test.Warm/\"}, \"route\": {\"cluster\": \"c\"}, "
                + Xds.faultOverride(Xds.faultConfig(""))
                + "}",
            Xds.route("")));
    for (ManagedChannel channel : both()) {
      assertThat(Rpc.call(channel, "test.Warm/Up").backend()).isEqualTo("one");
      Rpc.Outcome outcome =
          Rpc.call(
              channel,
              Rpc.METHOD,
              new Metadata(),
              CallOptions.DEFAULT.withDeadlineAfter(300, TimeUnit.MILLISECONDS));
      assertThat(outcome.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
      assertThat(outcome.text()).containsAnyOf("fault injection", "fault-injected");
    }
    assertThat(one.calls()).as("those before").isEqualTo(2);
  }

  @Test
  void oursCountsTheDelayInTheTimeoutOfTheRoute() {
    stage.serve(one);
    stage.ads.set(
        Xds.listener(Xds.fault(delay("30s"))),
        Xds.routes(Xds.route("\"max_stream_duration\": {\"max_stream_duration\": \"0.3s\"}")));
    Rpc.Outcome outcome = call(stage.channel());
    assertThat(outcome.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(outcome.text()).contains("fault injection");
    ListenableFuture<String> theirs = Rpc.begin(stage.peer());
    assertThat(call(stage.channel()).code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(theirs.isDone()).as("waits for the delay").isFalse();
    theirs.cancel(true);
  }

  @Test
  void bothUseTheMostSpecificOverride() {
    stage.serve(one);
    stage.ads.set(
        Xds.listener(Xds.fault(abort(1))),
        Xds.host(
            Xds.faultOverride(Xds.faultConfig(abort(2))) + ",",
            "{\"match\": {\"prefix\": \"/test.Route/\"}, \"route\": {\"cluster\": \"c\"}, "
                + Xds.faultOverride(Xds.faultConfig(abort(3)))
                + "}",
            "{\"match\": {\"prefix\": \"/test.Cluster/\"}, "
                + Xds.faultOverride(Xds.faultConfig(abort(3)))
                + ", \"route\": {\"weighted_clusters\": {\"clusters\": [{\"name\": \"c\","
                + " \"weight\": 1, "
                + Xds.faultOverride(Xds.faultConfig(abort(5)))
                + "}]}}}",
            "{\"match\": {\"prefix\": \"/test.None/\"}, \"route\": {\"cluster\": \"c\"}, "
                + Xds.faultOverride(Xds.faultConfig(""))
                + "}",
            Xds.route("")));
    for (ManagedChannel channel : both()) {
      assertThat(call(channel).code()).isEqualTo(Status.Code.UNKNOWN);
      assertThat(Rpc.call(channel, "test.Route/Who").code())
          .isEqualTo(Status.Code.INVALID_ARGUMENT);
      assertThat(Rpc.call(channel, "test.Cluster/Who").code()).isEqualTo(Status.Code.NOT_FOUND);
      assertThat(Rpc.call(channel, "test.None/Who").backend()).isEqualTo("one");
    }
  }

  @Test
  void bothHaveAFaultOncePerCallAndDoNotRetryIt() {
    stage.serve(one);
    stage.ads.set(
        Xds.listener(Xds.fault(abort(14))),
        Xds.host(
            "",
            "{\"match\": {\"prefix\": \"/test.Sick/\"}, "
                + Xds.faultOverride(Xds.faultConfig(delay("0.05s")))
                + ", \"route\": {\"cluster\": \"c\","
                + " \"retry_policy\": {\"retry_on\": \"unavailable\", \"num_retries\": 2}}}",
            Xds.route("\"retry_policy\": {\"retry_on\": \"unavailable\", \"num_retries\": 2}")));
    for (ManagedChannel channel : both()) {
      assertThat(call(channel).text()).contains("fault injection");
      one.failNext(2, Status.UNAVAILABLE);
      assertThat(Rpc.call(channel, "test.Sick/Who").backend()).isEqualTo("one");
    }
    assertThat(one.calls()).as("three attempts of each, of the delayed call").isEqualTo(6);
  }

  @Test
  void bothInjectTheShareThatIsToBeInjected() {
    stage.serve(one);
    stage.ads.set(
        Xds.listener(
            Xds.fault(
                "\"abort\": {\"grpc_status\": 10,"
                    + " \"percentage\": {\"numerator\": 5000, \"denominator\": \"TEN_THOUSAND\"}}")));
    for (ManagedChannel channel : both()) {
      // 200 expected, with a standard deviation of 10: six of them either way.
      assertThat(Rpc.share(channel, 400).get("failed")).isBetween(140, 260);
    }
  }

  @Test
  void bothRefuseTheFilterOfServersUnlessItIsOptional() {
    stage.serve(one);
    String rbac =
        "{\"name\": \"rbac\", %s \"typed_config\": {\"@type\":"
            + " \"type.googleapis.com/envoy.extensions.filters.http.rbac.v3.RBAC\"}}";
    stage.ads.set(
        Xds.listener(rbac.formatted("\"is_optional\": true,")),
        Xds.host(
            "\"typed_per_filter_config\": {\"rbac\": {\"@type\":"
                + " \"type.googleapis.com/envoy.extensions.filters.http.rbac.v3.RBACPerRoute\"}},",
            Xds.route("")));
    both().forEach(channel -> assertThat(call(channel).backend()).isEqualTo("one"));
    stage.ads.set(Xds.listener(rbac.formatted("")));
    assertThat(stage.ads.awaitNack()).contains("rbac");
    both().forEach(channel -> assertThat(call(channel).isOk()).isFalse());
  }

  @Test
  void oursCanDisableAFilterForARoute() {
    stage.serve(one);
    stage.ads.set(
        Xds.listener(Xds.fault(abort(10))),
        Xds.host(
            Xds.faultOverride(
                    "{\"@type\": \"type.googleapis.com/envoy.config.route.v3.FilterConfig\","
                        + " \"is_optional\": true, \"disabled\": true}")
                + ",",
            Xds.route("")));
    assertThat(call(stage.channel()).backend()).isEqualTo("one");
    assertThat(call(stage.peer()).code()).isEqualTo(Status.Code.ABORTED);
  }

  @Test
  void oursIgnoresAHeaderThatItCannotReadAndOnlyThatOne() {
    stage.serve(one);
    stage.ads.set(Xds.listener(Xds.fault("\"abort\": {\"header_abort\": {}" + ALL)));
    String[] headers = {
      "x-envoy-fault-abort-grpc-request", "10", "x-envoy-fault-abort-request-percentage", "all"
    };
    assertThat(call(stage.channel(), headers).code()).isEqualTo(Status.Code.ABORTED);
    assertThat(call(stage.peer(), headers).isOk()).isTrue();
  }

  @Test
  void filterThatAppearsAndDisappearsCostsNoOtherCall() {
    stage.serve(one);
    ManagedChannel channel = stage.channel();
    Stage.awaitBackend(channel, one);
    stage.ads.set(Xds.listener(Xds.fault(abort(10))));
    Stage.awaitCall(channel, "a fault", outcome -> outcome.code() == Status.Code.ABORTED);
    stage.ads.set(Resources.apiListener("svc", "r"));
    Stage.awaitBackend(channel, one);
    assertThat(Rpc.share(channel, 20)).containsOnlyKeys("one");
  }
}
