// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An Envoy on this machine.
 *
 * @param path the executable
 * @param version such as 1.39.0
 */
public record EnvoyProgram(String path, String version) {
  private static final Pattern VERSION = Pattern.compile("/(\\d+\\.\\d+\\.\\d+[^/ ]*)/");

  /** Looks where {@code get-envoy} does, and fetches nothing. */
  public static Optional<EnvoyProgram> find(Workspace workspace) throws IOException {
    Said said = getEnvoy(workspace, List.of("--find"));
    return said.exitCode() == 0 ? Optional.of(of(said)) : Optional.empty();
  }

  /**
   * The same, and if there is none, gets one over the network.
   *
   * @throws IOException if there is none to be had; the message says why
   */
  public static EnvoyProgram fetch(Workspace workspace) throws IOException {
    Said said = getEnvoy(workspace, List.of());
    if (said.exitCode() != 0) {
      throw new IOException(said.lastLine());
    }
    return of(said);
  }

  private static EnvoyProgram of(Said found) throws IOException {
    String path = found.lastLine();
    Matcher version = VERSION.matcher(run(List.of(path, "--version")).text());
    return new EnvoyProgram(path, version.find() ? version.group(1) : "");
  }

  private static Said getEnvoy(Workspace workspace, List<String> arguments) throws IOException {
    Path script = workspace.file("get-envoy");
    try (InputStream in =
        Objects.requireNonNull(EnvoyProgram.class.getResourceAsStream("get-envoy"))) {
      Files.copy(in, script, StandardCopyOption.REPLACE_EXISTING);
    }
    List<String> command = new ArrayList<>(List.of("sh", script.toString()));
    command.addAll(arguments);
    return run(command);
  }

  private record Said(int exitCode, String text) {
    String lastLine() {
      return text.strip().lines().reduce("", (before, line) -> line);
    }
  }

  private static Said run(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String text = new String(process.getInputStream().readAllBytes(), UTF_8);
    try {
      return new Said(process.waitFor(), text);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
