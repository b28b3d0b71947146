// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Loop;
import dev.holdfast.controlplane.ads.AdsHarness;
import dev.holdfast.controlplane.ads.AdsServer;
import dev.holdfast.testkit.ManualExecutor;
import dev.holdfast.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How many requests of a stream are read ahead. */
final class GrpcStreamCallTest {
  private final ManualTime time = new ManualTime();
  private final ManualExecutor executor = new ManualExecutor();
  private final ManualExecutor thread = new ManualExecutor();
  private final FakeServerCall<ReadRequest<String>> call = new FakeServerCall<>(thread);
  private final List<String> seen = new ArrayList<>();
  private final Loop loop =
      new Loop(
          executor,
          e -> {
            throw new AssertionError(e);
          });
  private final GrpcStreamCall<String> stream =
      new GrpcStreamCall<>(
          call,
          StreamIntake.of(
              new AdsServer(
                  loop,
                  time,
                  new SplittableRandom(7),
                  "holdfast-test",
                  new AdsHarness(),
                  UnaryOperator.identity())),
          Protocol.SOTW,
          /* only= */ null,
          (stream, request) -> {
            if (request.equals("trap")) {
              throw new IllegalStateException("a bug");
            }
            seen.add(request);
          });

  @BeforeEach
  void start() {
    stream.start();
    runAll();
  }

  /** Runs the connection thread, the loop, and the tasks that the loop gave the thread. */
  private void runAll() {
    thread.runAll();
    executor.runAll();
    thread.runAll();
  }

  private static ReadRequest<String> request(String text) {
    return ReadRequest.of(text, text.length(), 0, /* dropped= */ 0);
  }

  @Test
  void theFirstRequestIsReadAfterTheLoopOpenedTheStream() {
    assertThat(call.done).containsExactly("headers");
    assertThat(call.asked).isEqualTo(1);
  }

  @Test
  void onlyOneRequestIsReadAheadWhileTheLoopIsBusy() {
    stream.onMessage(request("first"));
    assertThat(call.asked).as("the second, at once").isEqualTo(2);
    stream.onMessage(request("second"));
    assertThat(call.asked).as("no third as long as two wait").isEqualTo(2);
    runAll();
    assertThat(seen).containsExactly("first", "second");
    assertThat(call.asked).isEqualTo(3);
  }

  @Test
  void singleRequestsAreEachReadOnce() {
    for (int i = 1; i <= 10; i++) {
      stream.onMessage(request("request " + i));
      runAll();
      assertThat(call.asked).isEqualTo(i + 1);
    }
  }

  /** Most of each is the end of an error text, which nobody reads. */
  @Test
  void aStreamThatGoesOnWithWhatNobodyReadsIsReadSlowly() {
    stream.onMessage(ReadRequest.of("first", 10, 0, ReadPace.BURST));
    runAll();
    assertThat(call.asked).as("a long text now and then costs nothing").isEqualTo(2);
    stream.onMessage(ReadRequest.of("second", 10, 0, 10 * ReadPace.PER_SECOND));
    runAll();
    assertThat(seen).containsExactly("first", "second");
    assertThat(call.asked).isEqualTo(2);
    time.advance(Duration.ofMillis(9_999));
    assertThat(call.asked).isEqualTo(2);
    time.advance(Duration.ofMillis(1));
    assertThat(call.asked).isEqualTo(3);
    stream.onMessage(request("third"));
    runAll();
    assertThat(call.asked).as("it sends nothing more of the sort").isEqualTo(4);
  }

  @Test
  void whatWaitsToBeHandledIsNotReadFasterByASlowLoop() {
    stream.onMessage(ReadRequest.of("first", 10, 0, ReadPace.BURST));
    assertThat(call.asked).isEqualTo(2);
    stream.onMessage(ReadRequest.of("second", 10, 0, ReadPace.PER_SECOND));
    runAll();
    assertThat(call.asked).isEqualTo(2);
    time.advance(Duration.ofSeconds(1));
    assertThat(call.asked).isEqualTo(3);
  }

  @Test
  void anUnreadableMessageEndsTheStream() {
    stream.onMessage(ReadRequest.refused(new Refusal("", io.grpc.Status.INVALID_ARGUMENT)));
    runAll();
    assertThat(call.done).containsExactly("headers", "close INVALID_ARGUMENT");
  }

  @Test
  void aRequestThatCannotBeHandledEndsItsStreamOnly() {
    stream.onMessage(request("trap"));
    stream.onMessage(request("after the end"));
    runAll();
    assertThat(call.done).containsExactly("headers", "close INTERNAL");
    assertThat(seen).isEmpty();
  }

  @Test
  void simultaneousRequestsReachTheLoopInOneBatchAndInOrder() {
    stream.onMessage(request("first"));
    stream.onMessage(request("last words"));
    stream.onCancel();
    assertThat(executor.pending()).as("nobody wakes the loop yet").isZero();
    thread.runAll();
    assertThat(executor.pending()).isEqualTo(1);
    runAll();
    assertThat(seen).containsExactly("first", "last words");
  }

  @Test
  void onReadyWakesTheLoopOnlyIfItWaits() {
    stream.onReady();
    thread.runAll();
    assertThat(executor.pending()).isZero();
    call.ready = false;
    assertThat(stream.isReady()).isFalse();
    call.ready = true;
    stream.onReady();
    thread.runAll();
    assertThat(executor.pending()).isEqualTo(1);
  }
}
