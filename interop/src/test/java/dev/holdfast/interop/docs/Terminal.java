// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A shell that is given the commands of a page. What they print goes into files: standard output is
 * for the shell to say that it is done.
 */
final class Terminal implements AutoCloseable {
  /** Long enough for any machine; reached only when a command does not end. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final Path files;
  private final Process shell;
  private final Writer in;
  private final BufferedReader said;
  private int count;

  /** A step as it went; {@code exitCode} is null if it goes on. */
  record Went(@Nullable Integer exitCode, List<String> output, String lastCommand) {}

  /**
   * @param more of the environment; a {@code PATH} comes before the one there is
   */
  Terminal(Scratch scratch, Map<String, String> more) throws IOException {
    files = Files.createDirectories(scratch.directory().resolve(".steps"));
    ProcessBuilder builder =
        new ProcessBuilder("bash", "--noprofile", "--norc", "-s")
            .directory(scratch.directory().toFile())
            .redirectError(files.resolve("shell.err").toFile());
    builder.environment().putAll(scratch.environment());
    more.forEach(
        (name, value) ->
            builder
                .environment()
                .merge(
                    name, value, (old, given) -> name.equals("PATH") ? given + ":" + old : given));
    builder.environment().put("LC_ALL", "C.UTF-8");
    builder.environment().remove("GRPC_XDS_BOOTSTRAP");
    shell = builder.start();
    in = shell.outputWriter(UTF_8);
    said = shell.inputReader(UTF_8);
    tell("exec 3>&1 5>" + files.resolve("trace") + "; BASH_XTRACEFD=5; PS4='+${LINENO}: '");
  }

  /** Runs commands that end. Line numbers are those of the page. */
  Went run(Block.Step step, Ports ports) throws IOException, InterruptedException {
    Path script = script(step, ports);
    tell("exec >" + output() + " 2>&1; set -ex");
    tell(". " + script + " </dev/null; { set +ex; } 2>/dev/null; echo 0 >&3");
    return went(awaitLine());
  }

  /** Runs commands that may fail. */
  Went tryOut(Block.Step step, Ports ports) throws IOException, InterruptedException {
    Path script = script(step, ports);
    tell("exec >" + output() + " 2>&1");
    tell("( set -ex; . " + script + " </dev/null ); echo $? >&3");
    return went(awaitLine());
  }

  /** Runs commands that go on; returns when they have printed the text. */
  Went runUntil(Block.Step step, Ports ports, String text)
      throws IOException, InterruptedException {
    Path script = script(step, ports);
    Path output = output();
    tell("( set -ex; . " + script + " </dev/null ) >" + output + " 2>&1 & echo 0 >&3");
    String ignored = awaitLine();
    try {
      await()
          .dontCatchUncaughtExceptions()
          .atMost(PATIENCE)
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(50))
          .until(() -> Files.exists(output) && soFar(output).contains(text));
      return new Went(null, soFar(output).lines().toList(), ignored);
    } catch (ConditionTimeoutException e) {
      return new Went(
          1, soFar(output).lines().toList(), "nothing like \"" + text + "\" was printed");
    }
  }

  private Path script(Block.Step step, Ports ports) throws IOException {
    Path script = files.resolve(++count + ".sh");
    Files.writeString(script, "\n".repeat(step.line() - 1) + ports.put(step.script()) + "\n");
    return script;
  }

  /** What the last commands have printed so far. */
  String printed() throws IOException {
    return soFar(output());
  }

  /** Of a file that somebody writes, whose last letter may be half there. */
  private static String soFar(Path file) throws IOException {
    return new String(Files.readAllBytes(file), UTF_8);
  }

  private Path output() {
    return files.resolve(count + ".out");
  }

  private Went went(String code) throws IOException {
    List<String> trace = Files.readAllLines(files.resolve("trace"));
    String last = trace.isEmpty() ? "" : trace.get(trace.size() - 1).replaceFirst("^\\++", "line ");
    return new Went(Integer.parseInt(code), Files.readAllLines(output()), last);
  }

  /** What the shell says next; its exit code if it ends, as it does after a command that fails. */
  private String awaitLine() throws IOException, InterruptedException {
    CompletableFuture<@Nullable String> line =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return said.readLine();
              } catch (IOException e) {
                return null;
              }
            },
            Terminal::inItsOwnThread);
    try {
      String text = line.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      return text == null ? Integer.toString(shell.waitFor()) : text;
    } catch (TimeoutException e) {
      return "124"; // as timeout(1) has it
    } catch (ExecutionException e) {
      throw new IOException(e);
    }
  }

  /** The common pool is for those who do not block it, among them the channels of other tests. */
  private static void inItsOwnThread(Runnable task) {
    Thread thread = new Thread(task, "reader of a shell");
    thread.setDaemon(true);
    thread.start();
  }

  private void tell(String line) throws IOException {
    in.write(line + "\n");
    in.flush();
  }

  /** Ends everything that the page started. */
  @Override
  public void close() {
    List<ProcessHandle> started = new ArrayList<>(shell.descendants().toList());
    started.add(shell.toHandle());
    started.forEach(ProcessHandle::destroy);
    for (ProcessHandle process : started) {
      try {
        process.onExit().get(20, TimeUnit.SECONDS);
      } catch (ExecutionException | TimeoutException e) {
        process.destroyForcibly();
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }
}
