// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.kubernetes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A process that was started here, what it says, and what it uses. */
final class Child implements AutoCloseable {
  private static final int TAIL = 15;

  /** Linux counts CPU time in these for all programs, whatever it does itself. */
  private static final long TICK_MILLIS = 10;

  private final Path log;
  private final Process process;

  private Child(Path log, Process process) {
    this.log = log;
    this.process = process;
  }

  static Child start(
      Path directory, String name, Map<String, String> environment, List<String> command) {
    Path log = directory.resolve(name + ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(log.toFile()));
    builder.environment().putAll(environment);
    try {
      return new Child(log, builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** CPU time of all its threads since it was started. */
  long cpuMillis() {
    String stat = read("stat");
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * TICK_MILLIS;
  }

  /** The memory that it occupies. */
  long residentKib() {
    for (String line : read("status").split("\n", -1)) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
      }
    }
    throw new IllegalStateException("no VmRSS of " + log.getFileName());
  }

  private String read(String file) {
    requireAlive();
    try {
      return Files.readString(Path.of("/proc", Long.toString(process.pid()), file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void requireAlive() {
    if (!process.isAlive()) {
      throw new IllegalStateException("ended: " + logTail());
    }
  }

  /** The end of what it said, for error texts. */
  String logTail() {
    try {
      List<String> lines = Files.readAllLines(log);
      return log
          + ":\n"
          + String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL), lines.size()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Asks it to end, and does not ask twice. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
