// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Calls whose attempts end in random ways, against {@link RandomCall}, which says what is right.
 */
class RandomCallsTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void callsGoAsTheModelSays(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 3_000; i++) {
      RandomCall script = RandomCall.draw(random);
      assertThat(play(script)).as("seed %d, call %d: %s", seed, i, script).isEqualTo(script.end());
    }
  }

  /** Plays a call and says how it went, in the words of the model. */
  private static String play(RandomCall script) {
    Tried it = new Tried();
    it.maxAttempts = script.maxAttempts();
    it.codes = script.codes();
    it.options = CallOptions.DEFAULT.withDeadline(it.deadlineAfter(micros(script.deadline())));
    List<Long> starts = new ArrayList<>();
    it.attempts.onStart =
        attempt -> {
          starts.add(now(it));
          play(it, attempt, script.outcomes().get(starts.size() - 1));
        };
    it.time.schedule(
        micros(script.deadline()),
        () -> {
          if (!it.latest().closed) { // as the channel would
            it.latest().close(Status.DEADLINE_EXCEEDED);
          }
        });
    it.time.schedule(micros(script.cancel()), () -> it.call().cancel("enough", null));
    it.unary().after(0);
    while (!it.ended()) {
      it.time.advance(micros(250));
    }
    String end = starts + " " + it.heard + " at " + now(it);
    it.time.advance(Duration.ofHours(1));
    assertThat(it.heard.stream().filter(event -> event.startsWith("close"))).hasSize(1);
    assertThat(Collections.frequency(it.latest().steps, "halfClose")).isEqualTo(1);
    assertThat(it.attempts.all).hasSize(starts.size());
    return end;
  }

  private static void play(Tried it, FakeAttempt attempt, RandomCall.Outcome outcome) {
    it.time.schedule(
        micros(outcome.after()),
        () -> {
          if (attempt.closed) {
            return;
          }
          if (outcome.length() > 0) {
            attempt.onHeaders();
            it.time.schedule(micros(outcome.length()), () -> close(attempt, outcome));
          } else {
            close(attempt, outcome);
          }
        });
  }

  private static void close(FakeAttempt attempt, RandomCall.Outcome outcome) {
    if (!attempt.closed) {
      String pushback = outcome.pushback();
      String[] trailers =
          pushback == null ? new String[0] : new String[] {"grpc-retry-pushback-ms", pushback};
      attempt.close(outcome.code().toStatus(), trailers);
    }
  }

  private static long now(Tried it) {
    return it.time.nanoTime() / 1_000;
  }

  private static Duration micros(long micros) {
    return Duration.ofNanos(micros * 1_000);
  }
}
