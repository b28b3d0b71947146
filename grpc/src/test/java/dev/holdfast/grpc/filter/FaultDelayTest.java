// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.resources.filter.FaultDelay;
import dev.holdfast.xds.resources.filter.FaultShare;
import io.grpc.CallOptions;
import io.grpc.Context;
import io.grpc.Status;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Delays (gRFC A33). */
class FaultDelayTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration NEARLY = Duration.ofMillis(999);
  private static final Duration REST = Duration.ofMillis(1);

  private final Faulty it = new Faulty();

  @AfterEach
  void nothingIsLeft() {
    assertThat(it.time.pending()).isEmpty();
    assertThat(it.faults.count()).isZero();
    assertThat(it.random).isEmpty();
  }

  @Test
  void nothingIsSentUntilTheDelayIsOver() {
    it.delay = Faulty.delayed(SECOND);
    Faulty.Call call = it.start();
    call.call().setMessageCompression(true);
    call.call().request(2);
    call.call().sendMessage("q");
    call.call().halfClose();
    it.time.advance(NEARLY);
    assertThat(call.below.reached()).isFalse();
    assertThat(call.call().isReady()).isFalse();
    assertThat(it.faults.count()).isOne();

    it.time.advance(REST);
    assertThat(call.below.steps)
        .containsExactly("start", "compression true", "request 2", "send q", "halfClose");
    assertThat(call.call().isReady()).isTrue();
    assertThat(it.faults.count()).as("a fault ends with its delay").isZero();
    call.call().request(1);
    assertThat(call.below.steps).endsWith("request 1");
    call.below.close(Status.OK);
    assertThat(call.status().isOk()).isTrue();
  }

  @Test
  void callThatIsCancelledWhileItIsDelayedEndsAtOnce() {
    it.delay = Faulty.delayed(SECOND);
    Faulty.Call call = it.start();
    IllegalStateException cause = new IllegalStateException("why");
    call.call().cancel("not needed", cause);
    assertThat(call.status().getCode()).isEqualTo(Status.Code.CANCELLED);
    assertThat(call.status().getDescription()).isEqualTo("not needed");
    assertThat(call.status().getCause()).isSameAs(cause);
    it.time.advance(SECOND);
    assertThat(call.below.reached()).isFalse();
  }

  @Test
  void callThatIsCancelledAfterItsDelayIsCancelledBelow() {
    it.delay = Faulty.delayed(SECOND);
    Faulty.Call call = it.start();
    it.time.advance(SECOND);
    call.call().cancel("late", null);
    assertThat(call.below.steps).containsExactly("start", "cancel late");
    assertThat(call.ended()).isFalse();
    call.below.close(Status.CANCELLED);
    assertThat(call.ended()).isTrue();
  }

  @Test
  void callWhoseContextIsCancelledEndsAtOnce() {
    it.delay = Faulty.delayed(SECOND);
    Context.CancellableContext context = Context.current().withCancellation();
    Faulty.Call[] call = new Faulty.Call[1];
    context.run(() -> call[0] = it.start());
    context.cancel(new IllegalStateException("gone"));
    assertThat(call[0].status().getCode()).isEqualTo(Status.Code.CANCELLED);
    assertThat(call[0].below.reached()).isFalse();
  }

  @Test
  void callWhoseDeadlineComesFirstEndsThen() {
    it.delay = Faulty.delayed(Duration.ofSeconds(5));
    it.options = CallOptions.DEFAULT.withDeadline(it.deadline(SECOND));
    Faulty.Call call = it.start();
    it.time.advance(NEARLY);
    assertThat(call.ended()).isFalse();
    it.time.advance(REST);
    assertThat(call.status().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(call.status().getDescription())
        .isEqualTo("during a delay of 5 s by fault injection (filter f)");
    assertThat(call.below.reached()).isFalse();
  }

  @Test
  void timeoutOfTheRouteCountsFromTheBeginning() {
    it.delay = Faulty.delayed(SECOND);
    it.timeout = Duration.ofSeconds(3);
    Faulty.Call call = it.start();
    it.time.advance(SECOND);
    assertThat(call.below.options.getDeadline()).isEqualTo(it.deadline(Duration.ofSeconds(2)));

    it.timeout = Duration.ofMillis(500);
    Faulty.Call shorter = it.start();
    it.time.advance(it.timeout);
    assertThat(shorter.status().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
  }

  @Test
  void deadlineThatComesLaterSaysHowLongTheDelayWas() {
    it.delay = Faulty.delayed(Duration.ofMillis(1_500));
    Faulty.Call call = it.start();
    it.time.advance(Duration.ofMillis(1_500));
    call.below.close(Status.DEADLINE_EXCEEDED.withDescription("too long"));
    assertThat(call.status().getDescription())
        .isEqualTo("too long\nafter a delay of 1.5 s by fault injection (filter f)");
  }

  @ParameterizedTest
  @CsvSource({"249999, true", "250000, false"})
  void shareIsDrawn(long drawn, boolean delayed) {
    it.delay = new FaultDelay(SECOND, new FaultShare(25, 10_000));
    it.random.add(drawn);
    Faulty.Call call = it.start();
    assertThat(call.below.reached()).isEqualTo(!delayed);
    it.time.advance(SECOND);
    assertThat(call.below.reached()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "none",
      value = {
        // the delay of the header, its percentage, the milliseconds that come of it
        "none, none, 0",
        "50, none, 50",
        "0, none, 0",
        "-5, none, 0",
        "5s, none, 0",
        "99999999999999999999, none, 0",
        "50, 100, 50",
        "50, 0, 0",
        "50, x, 50",
        "50, -1, 50"
      })
  void headerSaysHowLong(String delay, String percentage, long millis) {
    it.delay = new FaultDelay(null, Faulty.ALL);
    Faulty.Call call =
        it.start(
            delay == null ? "x-none" : "x-envoy-fault-delay-request",
            String.valueOf(delay),
            percentage == null ? "x-none" : "x-envoy-fault-delay-request-percentage",
            String.valueOf(percentage));
    if (millis > 0) {
      assertThat(it.time.pending()).containsExactly(Duration.ofMillis(millis));
      assertThat(call.below.reached()).isFalse();
      it.time.advance(Duration.ofMillis(millis));
    }
    assertThat(call.below.reached()).isTrue();
  }

  @Test
  void headerOfAFixedDelayIsNotRead() {
    it.delay = Faulty.delayed(SECOND);
    Faulty.Call call =
        it.start("x-envoy-fault-delay-request", "5", "x-envoy-fault-delay-request-percentage", "0");
    assertThat(it.time.pending()).containsExactly(SECOND);
    it.time.advance(SECOND);
    assertThat(call.below.reached()).isTrue();
  }

  @Test
  void headerCanOnlyMakeTheShareSmaller() {
    it.delay = new FaultDelay(null, new FaultShare(500, 100)); // of ten thousand
    it.random.add(50_000L);
    assertThat(
            it.start(
                    "x-envoy-fault-delay-request", "5",
                    "x-envoy-fault-delay-request-percentage", "10000")
                .below
                .reached())
        .as("5 %% of the calls")
        .isTrue();
    it.random.add(199L);
    Faulty.Call call =
        it.start("x-envoy-fault-delay-request", "5", "x-envoy-fault-delay-request-percentage", "2");
    assertThat(call.below.reached()).as("0.02 %% of the calls").isFalse();
    it.time.advance(Duration.ofMillis(5));
    assertThat(call.below.reached()).isTrue();
  }

  @Test
  void delayOfZeroIsNone() {
    it.delay = Faulty.delayed(Duration.ZERO);
    assertThat(it.start().below.steps).containsExactly("start");
  }
}
