// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.envoy;

import static org.awaitility.Awaitility.await;

import dev.holdfast.interop.Leash;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A running Envoy. Its directory ({@code target/envoy/...}: bootstrap and log) stays for whoever
 * looks into a failure; the process does not: it ends with {@link #close}, and with this JVM even
 * if that is killed.
 */
public final class EnvoyProcess implements AutoCloseable {
  /** Long enough for any machine; reached only when something is wrong. */
  static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final String LOG = "envoy.log";
  private static final int TAIL = 25;
  private static final AtomicInteger STARTED = new AtomicInteger();

  private final Path directory;
  private final Process process;
  private final EnvoyAdmin admin;

  private EnvoyProcess(Path directory, Process process) {
    this.directory = directory;
    this.process = process;
    admin = new EnvoyAdmin(awaitAdminPort(), this::logTail);
  }

  /** Starts with a bootstrap for tests; skips the test if there is no Envoy to be had. */
  public static EnvoyProcess start(EnvoyBootstrap bootstrap) {
    return start(bootstrap.yaml());
  }

  /** Starts with a bootstrap of any origin, whose admin address must be on loopback. */
  public static EnvoyProcess start(String bootstrapYaml, String... moreArguments) {
    Path binary = EnvoyBinary.find();
    try {
      Path directory =
          Path.of(
                  "target",
                  "envoy",
                  ProcessHandle.current().pid() + "-" + STARTED.incrementAndGet())
              .toAbsolutePath();
      Files.createDirectories(directory);
      Files.writeString(directory.resolve("bootstrap.yaml"), bootstrapYaml);
      List<String> command = new ArrayList<>(arguments(binary, directory));
      command.addAll(List.of(moreArguments));
      Process process =
          new ProcessBuilder(Leash.on(command))
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(Redirect.to(directory.resolve(LOG).toFile()))
              .start();
      return new EnvoyProcess(directory, process);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> arguments(Path binary, Path directory) {
    return List.of(
        binary.toString(),
        "-c",
        directory.resolve("bootstrap.yaml").toString(),
        "--concurrency",
        "1",
        "--disable-hot-restart",
        "--admin-address-path",
        directory.resolve("admin.addr").toString(),
        "-l",
        "info",
        "--component-log-level",
        "config:debug,upstream:debug,init:debug",
        "--drain-time-s",
        "1",
        "--drain-strategy",
        "immediate");
  }

  /** What it says of itself. */
  public EnvoyAdmin admin() {
    return admin;
  }

  /** A client for the listener of this name, as soon as that has a port. */
  public Http http(String listener) {
    return Http.on(admin.awaitListener(listener));
  }

  /** Stops it in its tracks: it keeps its connections but answers nobody. */
  public void freeze() {
    signal("STOP");
  }

  /** Goes on after {@link #freeze}. */
  public void thaw() {
    signal("CONT");
  }

  /** What happens when this JVM dies: the pipe to the watcher breaks. */
  void abandon() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether it still runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** The end of its log, for error texts. */
  public String logTail() {
    List<String> lines = log();
    return directory.resolve(LOG)
        + ":\n"
        + String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL), lines.size()));
  }

  /** All lines of its log so far. */
  public List<String> log() {
    try {
      // While it writes, the last letter may be half there.
      return new String(Files.readAllBytes(directory.resolve(LOG)), StandardCharsets.UTF_8)
          .lines()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends it at once. */
  @Override
  public void close() {
    process.destroyForcibly();
    abandon();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private int awaitAdminPort() {
    Path file = directory.resolve("admin.addr");
    try {
      await("Envoy's admin address")
          .dontCatchUncaughtExceptions()
          .atMost(PATIENCE)
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(5))
          .failFast("Envoy has ended", () -> !process.isAlive() && !isWritten(file))
          .until(() -> isWritten(file));
      String address = Files.readString(file).strip();
      return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    } catch (IOException | RuntimeException | Error e) {
      String tail = logTail();
      close();
      throw new AssertionError("Envoy did not start\n" + tail, e);
    }
  }

  /** One that was started can have ended since, of what the control plane told it. */
  private static boolean isWritten(Path file) throws IOException {
    return Files.exists(file) && !Files.readString(file).isBlank();
  }

  private void signal(String name) {
    try {
      int code =
          new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid()).start().waitFor();
      if (code != 0) {
        throw new AssertionError("kill -" + name + ": exit code " + code);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }
}
