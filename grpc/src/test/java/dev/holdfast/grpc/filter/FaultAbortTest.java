// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.resources.filter.FaultAbort;
import dev.holdfast.xds.resources.filter.FaultDelay;
import dev.holdfast.xds.resources.filter.FaultShare;
import io.grpc.Status;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Aborts, aborts after delays, and the limit of faults (gRFC A33). */
class FaultAbortTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Faulty it = new Faulty();

  @AfterEach
  void nothingIsLeft() {
    assertThat(it.time.pending()).isEmpty();
    assertThat(it.faults.count()).isZero();
    assertThat(it.random).isEmpty();
  }

  @Test
  void callFailsBeforeAnythingIsSent() {
    it.abort = Faulty.aborted(Status.Code.ABORTED.value());
    Faulty.Call call = it.start();
    assertThat(call.status().getCode()).isEqualTo(Status.Code.ABORTED);
    assertThat(call.status().getDescription()).isEqualTo("aborted by fault injection (filter f)");
    call.call().request(1);
    call.call().sendMessage("q");
    call.call().halfClose();
    call.call().cancel("x", null);
    assertThat(call.below.reached()).isFalse();
  }

  @Test
  void statusOkEndsTheCallAsIfAServerHadAnsweredNothing() {
    it.abort = Faulty.aborted(0);
    Faulty.Call call = it.start();
    assertThat(call.status().isOk()).isTrue();
    assertThat(call.below.reached()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "200, UNKNOWN",
    "400, INTERNAL",
    "401, UNAUTHENTICATED",
    "403, PERMISSION_DENIED",
    "404, UNIMPLEMENTED",
    "429, UNAVAILABLE",
    "500, UNKNOWN",
    "502, UNAVAILABLE",
    "503, UNAVAILABLE",
    "504, UNAVAILABLE"
  })
  void statusOfHttpBecomesOneOfGrpc(int http, Status.Code code) {
    it.abort = new FaultAbort(new FaultAbort.HttpStatus(http), Faulty.ALL);
    Status status = it.start().status();
    assertThat(status.getCode()).isEqualTo(code);
    assertThat(status.getDescription())
        .isEqualTo("aborted by fault injection (filter f, as for the HTTP status " + http + ")");
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "none",
      value = {
        // status of HTTP, of gRPC, percentage, what comes of it
        "none, none, none, none",
        "503, none, none, UNAVAILABLE",
        "none, 3, none, INVALID_ARGUMENT",
        "404, 3, none, UNIMPLEMENTED",
        "x, 3, none, INVALID_ARGUMENT",
        "600, 3, none, INVALID_ARGUMENT",
        "199, none, none, none",
        "none, 99, none, UNKNOWN",
        "none, -1, none, none",
        "503, none, 0, none",
        "503, none, 100, UNAVAILABLE",
        "503, none, ten, UNAVAILABLE"
      })
  void headersSayWhichStatus(String http, String grpc, String percentage, Status.Code code) {
    it.abort = new FaultAbort(new FaultAbort.Header(), Faulty.ALL);
    Faulty.Call call =
        it.start(
            http == null ? "x-none" : "x-envoy-fault-abort-request",
            String.valueOf(http),
            grpc == null ? "x-none" : "x-envoy-fault-abort-grpc-request",
            String.valueOf(grpc),
            percentage == null ? "x-none" : "x-envoy-fault-abort-request-percentage",
            String.valueOf(percentage));
    if (code == null) {
      assertThat(call.below.steps).containsExactly("start");
    } else {
      assertThat(call.status().getCode()).isEqualTo(code);
    }
  }

  @Test
  void eachFaultHasADrawOfItsOwn() {
    FaultShare half = new FaultShare(50, 10_000);
    it.delay = new FaultDelay(SECOND, half);
    it.abort = new FaultAbort(new FaultAbort.GrpcStatus(14), half);
    it.random.add(900_000L);
    it.random.add(0L);
    assertThat(it.start().status().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    it.random.add(0L);
    it.random.add(900_000L);
    Faulty.Call delayed = it.start();
    it.time.advance(SECOND);
    assertThat(delayed.below.reached()).isTrue();
  }

  @Test
  void abortComesAfterTheDelay() {
    it.delay = Faulty.delayed(SECOND);
    it.abort = Faulty.aborted(14);
    Faulty.Call call = it.start();
    call.call().sendMessage("q");
    assertThat(call.ended()).isFalse();
    it.time.advance(SECOND);
    assertThat(call.status().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(call.below.reached()).isFalse();
  }

  @Test
  void moreFaultsThanTheLimitDoNotHappen() {
    it.delay = Faulty.delayed(SECOND);
    it.abort = Faulty.aborted(14);
    it.maxActive = 2;
    Faulty.Call first = it.start();
    Faulty.Call second = it.start();
    Faulty.Call third = it.start();
    assertThat(third.below.steps).as("passes").containsExactly("start");
    assertThat(it.faults.count()).isEqualTo(2);
    first.call().cancel("not needed", null);
    Faulty.Call fourth = it.start();
    assertThat(fourth.below.reached()).isFalse();
    it.time.advance(SECOND);
    assertThat(second.status().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(fourth.status().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void filterThatCanDoNothingIsNotThere() {
    assertThat(it.chain()).isNull();
    it.abort = new FaultAbort(new FaultAbort.GrpcStatus(14), new FaultShare(0, 10_000));
    assertThat(it.chain()).isNull();
    it.abort = Faulty.aborted(14);
    it.maxActive = 0;
    assertThat(it.chain()).isNull();
    it.maxActive = 1;
    assertThat(it.chain()).isNotNull();
  }
}
