// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Messages that are sent while attempts come and go arrive whole and in order. */
class OutboundRaceTest {
  private static final int ROUNDS = 300;
  private static final int MESSAGES = 400;

  private final AtomicInteger sent = new AtomicInteger();

  @Test
  void lastAttemptGetsAllMessagesInOrder() throws Exception {
    List<String> expected = IntStream.range(0, MESSAGES).mapToObj(i -> "send " + i).toList();
    ExecutorService pool = Executors.newFixedThreadPool(2);
    try {
      for (int round = 0; round < ROUNDS; round++) {
        Outbound<String> outbound = new Outbound<>();
        sent.set(0);
        Future<?> sender = pool.submit(() -> send(outbound));
        Future<?> other = pool.submit(() -> disturb(outbound));
        FakeAttempt last = tryFourTimes(outbound);
        sender.get(60, TimeUnit.SECONDS);
        other.get(60, TimeUnit.SECONDS);
        assertThat(last.steps).as("round %d", round).isEqualTo(expected);
      }
    } finally {
      pool.shutdownNow();
    }
  }

  private void send(Outbound<String> outbound) {
    for (int i = 0; i < MESSAGES; i++) {
      String message = "" + i;
      outbound.add(call -> call.sendMessage(message));
      sent.incrementAndGet();
    }
  }

  /** Takes part in the work on attempts, without leaving a trace. */
  private static void disturb(Outbound<String> outbound) {
    for (int i = 0; i < MESSAGES; i++) {
      outbound.add(call -> {});
    }
  }

  /** Spread over the time of the sender. */
  private FakeAttempt tryFourTimes(Outbound<String> outbound) {
    for (int number = 1; number < 4; number++) {
      awaitSent(number * MESSAGES / 5);
      outbound.replayOn(number, attempt());
      awaitSent(number * MESSAGES / 5 + MESSAGES / 10);
      outbound.pause(number);
      outbound.replayOn(number, attempt()); // over already, so of no effect
    }
    FakeAttempt last = attempt();
    outbound.replayOn(4, last);
    awaitSent(MESSAGES * 9 / 10);
    outbound.commit();
    return last;
  }

  private void awaitSent(int count) {
    while (sent.get() < count) {
      Thread.onSpinWait();
    }
  }

  private static FakeAttempt attempt() {
    return new FakeAttempt(CallOptions.DEFAULT, false, started -> {});
  }
}
