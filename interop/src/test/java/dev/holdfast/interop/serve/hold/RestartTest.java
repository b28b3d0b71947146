// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The server ends after any single message of an incident and comes back, to an Envoy that went on
 * or to one that starts with nothing: what comes of the incident is the same. A share of the steps
 * is played, with others for each way to end; see CONTRIBUTING.md.
 */
@ParameterizedClass
@ValueSource(strings = {"delta", "sotw"})
record RestartTest(String protocol) {
  private static final int WAYS = 4;
  private static final int USUAL_SHARE = 12;

  @TempDir
  @SuppressWarnings("NullAway.Init") // before the first test
  static Path root;

  private static @Nullable RestartStage stage;

  @AfterParameterizedClassInvocation
  static void stop() {
    if (stage != null) {
      stage.close();
      stage = null;
    }
  }

  /**
   * @param way a number for this way to end
   */
  @ParameterizedTest
  @CsvSource({"KILL, warm, 0", "KILL, cold, 1", "TERM, warm, 2", "TERM, cold, 3"})
  void theOutcomeIsTheSameWhereverTheServerEnds(String signal, String envoys, int way)
      throws Exception {
    RestartStage played = stage();
    assertThat(played.expected().held()).containsExactly("b@2/1 Rejected", "e@1/0 RejectedNew");
    assertThat(played.steps()).isBetween(20, 60);
    int every = every();
    for (int step = way * every / WAYS; step <= played.steps(); step += every) {
      try {
        played.play(step, signal, envoys.equals("cold"));
      } catch (Exception | AssertionError e) {
        stop(); // whatever it was, the next test is to begin anew
        throw new AssertionError(
            "%s, %s after step %d of %d (%s), Envoy %s: %s"
                .formatted(
                    protocol,
                    signal,
                    step,
                    played.steps(),
                    played.lastMessage(),
                    envoys,
                    e.getMessage()),
            e);
      }
    }
  }

  private RestartStage stage() throws Exception {
    if (stage == null) {
      stage = new RestartStage(Files.createTempDirectory(root, protocol), protocol.equals("delta"));
    }
    return stage;
  }

  private static int every() {
    String wanted = System.getenv("HOLDFAST_RESTART_EVERY");
    return Integer.getInteger(
        "holdfast.restart.every", wanted == null ? USUAL_SHARE : Integer.parseInt(wanted));
  }
}
