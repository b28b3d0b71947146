// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a process of its own writes into its log. */
class LogSetupTest {
  /** Logs what somebody else wrote. */
  static final class Chatty {
    private Chatty() {}

    public static void main(String[] args) {
      if (args[0].equals("serve")) {
        LogSetup.configureServer(/* verbose= */ false);
      } else {
        LogSetup.configure(/* verbose= */ false);
      }
      Logger log = LoggerFactory.getLogger("dev.holdfast.Chatty");
      log.info("by the way");
      log.warn("problem: {}", "a\nb\rc\u001b[31m\u202ed\u2028e \u00e4");
    }
  }

  @Test
  void aServersLogHasDatesAndAnEntryIsOneLine() throws Exception {
    List<String> lines = run("serve");

    assertThat(lines).hasSize(2);
    assertThat(lines.get(0))
        .matches("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{12}(Z|[+-][0-9:]+) INFO  Chatty: by the way");
    assertThat(lines.get(1)).endsWith(" WARN  Chatty: problem: a?b?c?[31m?d?e \u00e4");
  }

  @Test
  void othersSayOnlyWhatMatters() throws Exception {
    List<String> lines = run("get");

    assertThat(lines).hasSize(1);
    assertThat(lines.get(0)).matches("[0-9:.]{12} WARN  Chatty: problem: .*");
  }

  private static List<String> run(String mode) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dfile.encoding=UTF-8",
                "-cp",
                System.getProperty("java.class.path"),
                Chatty.class.getName(),
                mode)
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return new ArrayList<>(output.lines().toList());
  }
}
