// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.envoy;

import dev.holdfast.server.options.StartException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An Envoy on this machine that is started again whenever it has ended, and ends with this process,
 * however that ends. Nothing of it is left: its files are in a directory that only the user of this
 * process can look into, and that is removed.
 *
 * <p>One that does not answer its admin port any more hangs; it is ended and started again.
 */
public final class LocalEnvoy implements AutoCloseable {
  private static final int LAST_LINES = 40;
  private static final int LONGEST_LINE = 4 << 10;
  private static final int MOST_EXITS = 1_000;
  private static final Duration LOOK_EVERY = Duration.ofMillis(250);
  private static final Duration START = Duration.ofSeconds(30);

  /** Of a path to a socket; some systems have less than 108. */
  private static final int LONGEST_SOCKET_PATH = 100;

  /**
   * How it is run.
   *
   * @param hangsAfter after which it is taken for hung if its admin port does not answer
   * @param spinsAfter the same if it takes that much CPU time meanwhile: it is not just slow
   * @param megabytes how much memory it may have, where the system has such a limit; 0 for no limit
   * @param niceness by how much its priority is lower than that of this process, for the CPU time
   */
  public record Settings(Duration hangsAfter, Duration spinsAfter, int megabytes, int niceness) {}

  private final EnvoyProgram program;
  private final Settings settings;
  private final Path directory;
  private final EnvoyAdmin admin;
  private final Thread supervisor;
  private final Deque<String> log = new ArrayDeque<>();
  private final List<EnvoyExit> exits = new ArrayList<>();
  private int ended;
  private volatile boolean closed;
  private volatile boolean ready;
  private volatile @Nullable Process process;
  private volatile @Nullable String broken;

  private LocalEnvoy(EnvoyProgram program, Settings settings, Path directory) {
    this.program = program;
    this.settings = settings;
    this.directory = directory;
    admin = new EnvoyAdmin(directory.resolve("admin.sock"));
    supervisor = new Thread(this::supervise, "holdfast-envoy-" + program.version());
    supervisor.setDaemon(true);
  }

  /**
   * Starts one, and does not wait for it.
   *
   * @throws StartException if there is no place for its files
   */
  public static LocalEnvoy start(EnvoyProgram program, EnvoyBootstrap bootstrap, Settings settings)
      throws StartException {
    try {
      Path directory = privateDirectory();
      LocalEnvoy envoy = new LocalEnvoy(program, settings, directory);
      Files.writeString(
          directory.resolve("bootstrap.yaml"),
          bootstrap.withAdminSocket(directory.resolve("admin.sock")).yaml());
      envoy.supervisor.start();
      return envoy;
    } catch (IOException e) {
      throw new StartException("no directory for the files of Envoy: " + e, e);
    }
  }

  private static Path privateDirectory() throws IOException {
    Path usual = Files.createTempDirectory("holdfast-envoy-"); // rwx------
    if (usual.resolve("admin.sock").toString().length() <= LONGEST_SOCKET_PATH) {
      return usual;
    }
    Files.delete(usual);
    return Files.createTempDirectory(Path.of("/tmp"), "holdfast-envoy-");
  }

  /** What it runs. */
  public EnvoyProgram program() {
    return program;
  }

  /** What it says of itself. */
  public EnvoyAdmin admin() {
    return admin;
  }

  /** Whether the process that runs now has served its admin port. */
  public boolean isReady() {
    return ready;
  }

  /** Why it is not started any more; null if it is. */
  public @Nullable String broken() {
    return broken;
  }

  /** Ends the process that runs now; another one is started. */
  public void restart() {
    Process running = process;
    if (running != null) {
      ready = false;
      end(running);
    }
  }

  /** How many of its processes have ended. */
  public int ended() {
    synchronized (exits) {
      return ended;
    }
  }

  /** How its last processes ended, the oldest first. */
  public List<EnvoyExit> exits() {
    synchronized (exits) {
      return List.copyOf(exits);
    }
  }

  /** The last lines that it wrote. */
  public List<String> lastLines() {
    synchronized (log) {
      return List.copyOf(log);
    }
  }

  private void supervise() {
    RestartBackoff backoff = new RestartBackoff();
    int unready = 0;
    while (!closed) {
      try {
        long started = System.nanoTime();
        EnvoyExit exit = runOnce();
        if (closed) {
          return;
        }
        boolean wasReady = ready;
        ready = false;
        synchronized (exits) {
          ended++;
          exits.add(exit);
          if (exits.size() > MOST_EXITS) {
            exits.remove(0);
          }
        }
        if (wasReady) {
          unready = 0;
        } else if (++unready == 5) {
          broken = program.path() + " does not start: " + exit.text() + lastWords(exit);
        }
        Duration lived = Duration.ofNanos(System.nanoTime() - started);
        Thread.sleep(backoff.next(wasReady, lived).toMillis());
      } catch (IOException e) {
        broken = program.path() + " cannot be run: " + e.getMessage();
        return;
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private static String lastWords(EnvoyExit exit) {
    List<String> lines = exit.lastWords();
    return lines.isEmpty() ? "" : ": " + lines.get(lines.size() - 1);
  }

  private EnvoyExit runOnce() throws IOException, InterruptedException {
    Files.deleteIfExists(directory.resolve("admin.sock"));
    synchronized (log) {
      log.clear();
    }
    Process running =
        new ProcessBuilder(
                EnvoyLeash.on(directory, settings.megabytes(), settings.niceness(), command()))
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .start();
    process = running;
    if (closed) { // it may not have seen this one
      end(running);
    }
    Thread reader = new Thread(() -> read(running), "holdfast-envoy-log");
    reader.setDaemon(true);
    reader.start();
    boolean hung = watch(running);
    int code = running.waitFor();
    reader.join(LOOK_EVERY.toMillis());
    return new EnvoyExit(Instant.now(), code, hung, lastLines());
  }

  private List<String> command() {
    return List.of(
        program.path().toString(),
        "-c",
        directory.resolve("bootstrap.yaml").toString(),
        "--concurrency",
        "1",
        "--disable-hot-restart", // nothing in shared memory, so that any number can run
        "-l",
        "warning");
  }

  /** Returns when it has ended; whether it had to be. */
  private boolean watch(Process running) throws InterruptedException {
    long lastAnswer = System.nanoTime();
    Duration lastCpu = Duration.ZERO;
    while (!running.waitFor(LOOK_EVERY.toMillis() / (ready ? 1 : 10), TimeUnit.MILLISECONDS)) {
      if (admin.isAnswering(LOOK_EVERY)) { // it may be busy for a while
        ready = true;
        lastAnswer = System.nanoTime();
        lastCpu = cpu(running);
      }
      Duration patience = ready ? settings.hangsAfter() : START;
      boolean spins = ready && cpu(running).minus(lastCpu).compareTo(settings.spinsAfter()) >= 0;
      if (spins || System.nanoTime() - lastAnswer > patience.toNanos()) {
        end(running);
        return true;
      }
    }
    return false;
  }

  /** Zero where the system does not tell. */
  private static Duration cpu(Process running) {
    return running.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  private void read(Process running) {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(running.getInputStream(), StandardCharsets.UTF_8))) {
      char[] part = new char[LONGEST_LINE];
      StringBuilder line = new StringBuilder();
      for (int n = lines.read(part); n >= 0; n = lines.read(part)) {
        for (int i = 0; i < n; i++) {
          if (part[i] != '\n') {
            if (line.length() < LONGEST_LINE) {
              line.append(part[i]);
            }
          } else {
            add(line.toString());
            line.setLength(0);
          }
        }
      }
      if (line.length() > 0) {
        add(line.toString());
      }
    } catch (IOException e) {
      // It has ended.
    }
  }

  private void add(String line) {
    synchronized (log) {
      log.add(line);
      if (log.size() > LAST_LINES) {
        log.remove();
      }
    }
  }

  /** Ends it at once, and removes its files. */
  @Override
  public void close() {
    closed = true;
    Process running = process;
    if (running != null) {
      end(running);
    }
    supervisor.interrupt();
    try {
      supervisor.join(TimeUnit.SECONDS.toMillis(5));
      running = process;
      if (running != null) {
        end(running);
        running.waitFor(5, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try {
      delete();
    } catch (IOException | UncheckedIOException e) {
      // It is in the directory for temporary files.
    }
  }

  /** The JDK closes the pipe before the process has ended: the watcher must be let go before. */
  private static void end(Process running) {
    letGo(running);
    running.destroyForcibly();
  }

  private static void letGo(Process running) {
    try (OutputStream leash = running.getOutputStream()) {
      leash.write(EnvoyLeash.LET_GO);
    } catch (IOException e) {
      // Nobody holds it any more.
    }
  }

  private void delete() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }
}
