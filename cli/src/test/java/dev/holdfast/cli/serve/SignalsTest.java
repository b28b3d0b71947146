// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.serve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A process of its own is asked to stop. */
class SignalsTest {
  /** Stops when it is told to, and says so. */
  static final class Obedient {
    private Obedient() {}

    public static void main(String[] args) throws InterruptedException {
      CountDownLatch stop = new CountDownLatch(1);
      Signals.onStop(stop::countDown);
      System.out.println("running");
      stop.await();
      System.out.println("stopped");
    }
  }

  @Test
  void aProcessThatIsAskedToStopEndsWell() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Obedient.class.getName())
            .redirectErrorStream(true)
            .start();
    try (BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      assertThat(out.readLine()).isEqualTo("running");

      process.toHandle().destroy(); // SIGTERM, and the streams stay open

      assertThat(out.readLine()).isEqualTo("stopped");
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
    } finally {
      process.destroyForcibly();
    }
  }
}
