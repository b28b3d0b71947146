// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Messages that are sent while attempts come and go arrive whole and in order. */
class OutboundRaceTest {
  private static final int ROUNDS = 300;
  private static final int MESSAGES = 400;

  @Test
  void lastAttemptGetsAllMessagesInOrder() throws Exception {
    List<String> expected = IntStream.range(0, MESSAGES).mapToObj(i -> "send " + i).toList();
    ExecutorService pool = Executors.newFixedThreadPool(2);
    try {
      for (int round = 0; round < ROUNDS; round++) {
        Outbound<String> outbound = new Outbound<>();
        Future<?> sender = pool.submit(() -> send(outbound));
        Future<?> other = pool.submit(() -> disturb(outbound));
        FakeAttempt last = tryFourTimes(outbound);
        sender.get(20, TimeUnit.SECONDS);
        other.get(20, TimeUnit.SECONDS);
        assertThat(last.steps).as("round %d", round).isEqualTo(expected);
      }
    } finally {
      pool.shutdownNow();
    }
  }

  private static void send(Outbound<String> outbound) {
    for (int i = 0; i < MESSAGES; i++) {
      String message = "" + i;
      outbound.add(call -> call.sendMessage(message));
    }
  }

  /** Takes part in the work on attempts, without leaving a trace. */
  private static void disturb(Outbound<String> outbound) {
    for (int i = 0; i < MESSAGES; i++) {
      outbound.add(call -> {});
    }
  }

  private static FakeAttempt tryFourTimes(Outbound<String> outbound) {
    for (int number = 1; number < 4; number++) {
      outbound.replayOn(number, attempt());
      outbound.pause(number);
      outbound.replayOn(number, attempt()); // over already, so of no effect
    }
    FakeAttempt last = attempt();
    outbound.replayOn(4, last);
    outbound.commit();
    return last;
  }

  private static FakeAttempt attempt() {
    return new FakeAttempt(CallOptions.DEFAULT, false, started -> {});
  }
}
