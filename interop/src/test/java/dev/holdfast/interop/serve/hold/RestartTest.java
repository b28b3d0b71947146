// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.serve.relay.Message;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The server ends after each single message of an incident and comes back, to an Envoy that went on
 * or to one that starts with nothing. {@code -Dholdfast.restart.every=1} plays all of them, rather
 * than a share.
 */
class RestartTest {
  @TempDir Path root;

  /**
   * @param first the first step to play, of a share
   */
  @ParameterizedTest
  @CsvSource({
    "delta, KILL, warm, 0",
    "delta, KILL, cold, 1",
    "delta, TERM, warm, 2",
    "delta, TERM, cold, 3",
    "sotw, KILL, warm, 4",
    "sotw, KILL, cold, 5",
    "sotw, TERM, warm, 6",
    "sotw, TERM, cold, 7"
  })
  void theOutcomeIsTheSameWhereverItEnds(String protocol, String signal, String envoys, int first)
      throws Exception {
    int every = every();
    try (RestartStage stage = new RestartStage(root, protocol.equals("delta"))) {
      long t0 = System.nanoTime();
      RestartStage.Played expected = stage.play();
      System.out.printf("T ref %.2f%n", (System.nanoTime() - t0) / 1e9);
      expected.messages().forEach(m -> System.out.println("T " + m));
      System.out.println("T " + expected.ending());
      assertThat(expected.ending().held())
          .containsExactly("b@2/1 Rejected", "e@1/0 RejectedNew");
      assertThat(expected.messages()).hasSizeBetween(12, 60);
      for (int step = first % every; step <= expected.messages().size(); step += every) {
        t0 = System.nanoTime();
        RestartStage.Played played;
        try {
          played = stage.play(step, signal, envoys.equals("cold"), expected.ending());
        } catch (AssertionError | Exception e) {
          throw new AssertionError(
              "%s, %s at step %d of %d, Envoy %s; without an end the messages are %s"
                  .formatted(
                      protocol,
                      signal,
                      step,
                      expected.messages().size(),
                      envoys,
                      numbered(expected.messages())),
              e);
        }
        System.out.printf(
            "T %s %s %s %d %.2f %s%n",
            protocol,
            signal,
            envoys,
            step,
            (System.nanoTime() - t0) / 1e9,
            step == 0 || played.messages().size() < step ? played.messages().size() : played.messages().get(step - 1));
      }
    }
  }

  private static String numbered(List<Message> messages) {
    StringBuilder text = new StringBuilder();
    for (Message message : messages) {
      text.append('\n').append(message);
    }
    return text.toString();
  }

  private static int every() {
    String wanted = System.getenv("HOLDFAST_RESTART_EVERY");
    return Integer.getInteger("holdfast.restart.every", wanted == null ? 6 : Integer.parseInt(wanted));
  }
}
