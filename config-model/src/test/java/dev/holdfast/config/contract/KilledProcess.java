// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.contract;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A Java process that was killed.
 *
 * @param lines all that it printed; a line that was cut by the end does not count
 */
record KilledProcess(List<String> lines) {
  /**
   * Runs a class with this process's class path, and kills it without a warning.
   *
   * @param arguments options of the JVM, the class, its arguments
   * @param wanted how many lines it may print first
   * @param nanos how long it may go on after that
   */
  static KilledProcess run(List<String> arguments, int wanted, long nanos)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path")));
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    List<String> lines = new ArrayList<>();
    try (BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), US_ASCII))) {
      while (lines.size() < wanted) {
        String line = out.readLine();
        if (line == null) {
          throw new AssertionError("the process ended by itself: " + process.waitFor());
        }
        lines.add(line);
      }
      spin(nanos);
      // Not Process.destroyForcibly, which throws away what was printed and not yet read.
      process.toHandle().destroyForcibly();
      process.waitFor();
      StringBuilder rest = new StringBuilder();
      for (int next = out.read(); next >= 0; next = out.read()) {
        rest.append((char) next);
      }
      wholeLines(rest.toString(), lines);
    } finally {
      process.destroyForcibly();
    }
    return new KilledProcess(List.copyOf(lines));
  }

  private static void wholeLines(String text, List<String> lines) {
    int start = 0;
    for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      lines.add(text.substring(start, end).strip());
      start = end + 1;
    }
  }

  /** Too short to sleep. */
  private static void spin(long nanos) {
    long end = System.nanoTime() + nanos;
    while (System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
  }
}
