// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Another process. It ends with {@link #close}, and also if this process is killed without a chance
 * to say so.
 */
public final class ChildProcess implements AutoCloseable {
  /**
   * Becomes the program, after leaving a watcher behind: that reads from a pipe which only this
   * process writes to. When the pipe ends and the program is still the watcher's parent, the
   * watcher ends the program; that works on one that was stopped as well. A watcher ignores what
   * ends others: a terminal sends signals to all at once.
   */
  private static final String LEASH =
      """
      exec 3<&0
      sh -c '
        trap "" HUP INT TERM
        cat <&3 >/dev/null
        if [ -r /proc/$$/stat ]; then
          read -r _ _ _ parent _ </proc/$$/stat
        else
          parent=$(ps -o ppid= -p $$ | tr -d " ")
        fi
        [ "$parent" = "$PPID" ] && kill -9 "$PPID"' >/dev/null 2>&1 &
      exec "$@" 3<&- </dev/null
      """;

  private static final int TAIL = 12;

  private final Process process;
  private final Path log;

  private ChildProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /**
   * Starts a program.
   *
   * @param log where its output goes, after what is there
   */
  static ChildProcess start(List<String> command, Path log) throws IOException {
    List<String> leashed = new ArrayList<>(List.of("sh", "-c", LEASH, "leash"));
    leashed.addAll(command);
    Process process =
        new ProcessBuilder(leashed)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    return new ChildProcess(process, log);
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Sends a signal, by its name without SIG. */
  public void signal(String name) throws IOException {
    Process kill = new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid()).start();
    try {
      if (kill.waitFor() != 0) {
        throw new IOException("kill -" + name + " " + pid() + ": exit code " + kill.exitValue());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** Waits for the end and returns the exit code, which for a signal is 128 and its number. */
  public int awaitExit() throws IOException {
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        throw new IOException("process " + pid() + " does not end");
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** The last lines that it wrote. */
  public List<String> lastWords() {
    try {
      List<String> lines =
          new String(Files.readAllBytes(log), StandardCharsets.UTF_8).lines().toList();
      return lines.subList(Math.max(0, lines.size() - TAIL), lines.size());
    } catch (IOException e) {
      return List.of();
    }
  }

  /** What happens when this process dies: the pipe to the watcher ends. */
  void abandon() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // it is closed, whatever is said
    }
  }

  /** Ends it at once, with its watcher, and waits for that. */
  @Override
  public void close() {
    process.destroyForcibly();
    abandon();
    try {
      awaitExit();
    } catch (IOException e) {
      // it was sent the signal that nothing survives
    }
  }
}
