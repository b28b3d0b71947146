// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A process that is spoken to and answers in lines. */
public final class LineProcess implements AutoCloseable {
  /** Long enough for any machine; reached only when something is wrong. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Process process;
  private final List<String> lines = new ArrayList<>();
  private int seen;

  public LineProcess(Path directory, List<String> command) throws IOException {
    process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    Thread reader = new Thread(this::read, "reader of " + command.get(0));
    reader.setDaemon(true);
    reader.start();
  }

  private void read() {
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        synchronized (this) {
          lines.add(line);
          notifyAll();
        }
      }
    } catch (IOException e) {
      // The process is gone; whoever waits for a line will say so.
    }
  }

  public void send(String line) throws IOException {
    OutputStream in = process.getOutputStream();
    in.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    in.flush();
  }

  public void endInput() throws IOException {
    process.getOutputStream().close();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  public long pid() {
    return process.pid();
  }

  /** The next line that fits; those before it are skipped. */
  public synchronized String await(String what, Predicate<String> fits)
      throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    for (int i = seen; ; i++) {
      while (i >= lines.size()) {
        long left = end - System.nanoTime();
        if (left <= 0) {
          throw new AssertionError(
              "expected " + what + ", but after " + seen + " lines: " + rest());
        }
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
      if (fits.test(lines.get(i))) {
        seen = i + 1;
        return lines.get(i);
      }
    }
  }

  private List<String> rest() {
    return List.copyOf(lines.subList(seen, lines.size()));
  }

  public synchronized List<String> allLines() {
    return List.copyOf(lines);
  }

  /** Sends a signal by its name, as {@code kill} knows it. */
  public void signal(String name) throws IOException, InterruptedException {
    int code =
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    if (code != 0) {
      throw new AssertionError("kill -" + name + ": exit code " + code);
    }
  }

  /** Ends it as a crash would. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  public int exitCode() throws InterruptedException {
    if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("still running");
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
