// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.dist;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** The unpacked archive, run with an environment that has {@code java} on its path and no more. */
final class Installed {
  /** What a command that ended had to say. */
  record Outcome(int exitCode, String out, String err) {}

  private final Path home;
  private final Path path;
  private final Map<String, String> environment = new TreeMap<>();

  Installed(Path home, Path directory, Path cache) throws IOException {
    this.home = home;
    this.path = Files.createTempDirectory(directory, "path");
    Files.createSymbolicLink(
        path.resolve("java"), Path.of(System.getProperty("java.home"), "bin", "java"));
    environment.put("PATH", path.toString());
    environment.put("HOME", directory.toString());
    environment.put("HOLDFAST_CACHE", cache.toString());
  }

  /** The same with more programs on the path. */
  Installed withTools(String... tools) throws IOException {
    for (String tool : tools) {
      Path real = Path.of("/bin", tool);
      Files.createSymbolicLink(
          path.resolve(tool), Files.exists(real) ? real : Path.of("/usr/bin", tool));
    }
    return this;
  }

  Installed with(String name, String value) {
    environment.put(name, value);
    return this;
  }

  Outcome run(String... arguments) throws IOException, InterruptedException {
    Process process = start(arguments).start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), UTF_8);
    return new Outcome(process.waitFor(), out, err);
  }

  /** Starts a server on ports that are free, and waits until it is ready. */
  Server serve(String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of("serve"));
    all.addAll(List.of(arguments));
    all.addAll(List.of("--xds-address", "127.0.0.1:0", "--admin-address", "127.0.0.1:0"));
    Process process =
        start(all.toArray(String[]::new)).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader out = process.inputReader(UTF_8);
    String line = out.readLine();
    if (line == null) {
      throw new AssertionError("the server ended before it was ready");
    }
    return new Server(process, line);
  }

  private ProcessBuilder start(String... arguments) {
    List<String> command = new ArrayList<>(List.of(home.resolve("bin/holdfast").toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(home.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    return builder;
  }

  /** A server that runs; {@code ready} is what it said when it was. */
  record Server(Process process, String ready) implements AutoCloseable {
    String adminAddress() {
      return ready.replaceFirst(".*admin on (http://[^,]+),.*", "$1");
    }

    int stop() throws InterruptedException {
      process.destroy();
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        throw new AssertionError("still running 30 s after SIGTERM");
      }
      return process.exitValue();
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }
}
