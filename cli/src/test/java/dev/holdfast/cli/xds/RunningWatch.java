// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.holdfast.base.SystemTime;
import dev.holdfast.cli.Main;
import dev.holdfast.cli.Shell;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A {@code holdfast xds watch} that runs in this process, with its streams in a test's hands. */
final class RunningWatch implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 60;

  private final Lines out = new Lines();
  private final Lines err = new Lines();
  private final OutputStream commands;
  private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();

  private RunningWatch(Map<String, String> environment, String[] arguments) throws IOException {
    Pipe pipe = Pipe.open();
    commands = Channels.newOutputStream(pipe.sink());
    Shell shell =
        new Shell(
            Channels.newInputStream(pipe.source()),
            new PrintStream(out, false, UTF_8),
            new PrintStream(err, false, UTF_8),
            environment,
            SystemTime.instance(),
            Shell.Terminal.none());
    Thread thread = new Thread(() -> exitCode.complete(Main.run(shell, arguments)), "watch");
    thread.setDaemon(true);
    thread.start();
  }

  static RunningWatch start(String... arguments) throws IOException {
    return start(Map.of(), arguments);
  }

  static RunningWatch start(Map<String, String> environment, String... arguments)
      throws IOException {
    String[] all = new String[arguments.length + 2];
    all[0] = "xds";
    all[1] = "watch";
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    return new RunningWatch(environment, all);
  }

  /** Gives a command. */
  void type(String line) throws IOException {
    commands.write((line + "\n").getBytes(UTF_8));
  }

  void endInput() throws IOException {
    commands.close();
  }

  /** From now on nobody reads standard output. */
  void breakOutput() {
    out.broken = true;
  }

  /** The next line on standard output. */
  String line() {
    return out.next();
  }

  /** The same, as what it is with {@code -o json}. */
  JsonObject json() {
    return JsonParser.parseString(line()).getAsJsonObject();
  }

  /** The answer to {@code dump}; nothing else may be waiting. */
  JsonObject dump() throws IOException {
    type("dump");
    return json();
  }

  /** The next line on standard error. */
  String errorLine() {
    return err.next();
  }

  int quit() throws IOException {
    type("quit");
    return awaitExit();
  }

  int awaitExit() {
    try {
      return exitCode.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError("the command has not ended", e);
    }
  }

  /** Everything that was printed and not read. */
  String unread() {
    return String.join("\n", out.lines) + String.join("\n", err.lines);
  }

  @Override
  public void close() throws IOException {
    try {
      quit();
    } catch (IOException e) {
      awaitExit(); // it has closed its input, or the test has
    }
  }

  /** Cuts what is written into lines. */
  private static final class Lines extends OutputStream {
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final ByteArrayOutputStream current = new ByteArrayOutputStream();
    private volatile boolean broken;

    @Override
    public synchronized void write(int b) throws IOException {
      if (broken) {
        throw new IOException("Broken pipe");
      }
      if (b == '\n') {
        lines.add(current.toString(UTF_8));
        current.reset();
      } else {
        current.write(b);
      }
    }

    String next() {
      try {
        String line = lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (line == null) {
          throw new AssertionError("nothing was printed within " + PATIENCE_SECONDS + " s");
        }
        return line;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new UncheckedIOException(new IOException(e));
      }
    }
  }
}
