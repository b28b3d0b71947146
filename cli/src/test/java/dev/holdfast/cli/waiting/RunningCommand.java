// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.waiting;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.cli.Main;
import dev.holdfast.cli.Shell;
import dev.holdfast.testkit.SharedTime;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A command that runs on a thread of its own, so that a test can do something meanwhile. */
public final class RunningCommand {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final Duration STEP = Duration.ofMillis(10);

  private final Output out = new Output();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();
  private final Thread thread;

  private RunningCommand(
      SharedTime time, Map<String, String> environment, boolean terminal, String... arguments) {
    Shell shell =
        new Shell(
            InputStream.nullInputStream(),
            new PrintStream(out, false, UTF_8),
            new PrintStream(err, false, UTF_8),
            new TreeMap<>(environment),
            time,
            new Shell.Terminal(terminal, terminal));
    thread = new Thread(() -> exitCode.complete(Main.run(shell, arguments)), "command");
    thread.setDaemon(true);
    thread.start();
  }

  /** In a pipe. */
  public static RunningCommand start(SharedTime time, String... arguments) {
    return new RunningCommand(time, Map.of(), /* terminal= */ false, arguments);
  }

  /** On a terminal of some width. */
  public static RunningCommand onTerminal(SharedTime time, int width, String... arguments) {
    return new RunningCommand(
        time,
        Map.of("COLUMNS", Integer.toString(width), "NO_COLOR", "1"),
        /* terminal= */ true,
        arguments);
  }

  /** Returns when a text was printed. */
  public void awaitOut(String text) throws InterruptedException {
    out.await(text);
  }

  public int exitCode() throws InterruptedException {
    try {
      return exitCode.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError("still running after: " + out(), e);
    }
  }

  /** The same, with something that is done again and again until the command ends. */
  public int exitCode(Runnable meanwhile) throws InterruptedException {
    for (long left = PATIENCE.toMillis(); left > 0; left -= STEP.toMillis()) {
      try {
        return exitCode.get(STEP.toMillis(), TimeUnit.MILLISECONDS);
      } catch (ExecutionException e) {
        throw new AssertionError(e);
      } catch (TimeoutException e) {
        meanwhile.run();
      }
    }
    throw new AssertionError("still running after: " + out());
  }

  /** Ends a command that never ends by itself. */
  public int interrupt() throws InterruptedException {
    thread.interrupt();
    return exitCode();
  }

  public String out() {
    return out.toString(UTF_8);
  }

  public List<String> lines() {
    return out().lines().toList();
  }

  public String err() {
    return err.toString(UTF_8);
  }

  /** Tells those who wait for it what it gets. */
  private static final class Output extends ByteArrayOutputStream {
    @Override
    public synchronized void write(byte[] bytes, int offset, int length) {
      super.write(bytes, offset, length);
      notifyAll();
    }

    synchronized void await(String text) throws InterruptedException {
      long end = System.nanoTime() + PATIENCE.toNanos();
      while (!toString(UTF_8).contains(text)) {
        long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        if (left <= 0) {
          throw new AssertionError("expected: " + text + ", but: " + toString(UTF_8));
        }
        wait(left);
      }
    }
  }
}
