// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.envoy;

import dev.holdfast.server.options.StartException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An Envoy that can be run.
 *
 * @param path the executable
 * @param version such as {@code 1.39.0}
 */
public record EnvoyProgram(Path path, String version) {
  /** {@code envoy version: COMMIT/1.39.0/Clean/RELEASE/BoringSSL}. */
  private static final Pattern VERSION =
      Pattern.compile("version:\\s*[^/\\s]*/([0-9]+\\.[0-9]+\\.[0-9]+[^/\\s]*)/");

  private static final int LONGEST_ANSWER = 64 << 10;
  private static final int PATIENCE_SECONDS = 20;

  /**
   * The program at this path.
   *
   * @throws StartException if there is none, or if it is no Envoy
   */
  public static EnvoyProgram at(Path path) throws StartException {
    if (!Files.isRegularFile(path) || !Files.isExecutable(path)) {
      throw new StartException(path + ": no such program (expected: the executable of an Envoy)");
    }
    String said = versionText(path);
    Matcher matcher = VERSION.matcher(said);
    if (!matcher.find()) {
      throw new StartException(path + ": no Envoy: '--version' does not say which version it is");
    }
    return new EnvoyProgram(path.toAbsolutePath().normalize(), matcher.group(1));
  }

  /**
   * The programs at these paths; if there are none, the one that {@code ENVOY} names, else the one
   * on the {@code PATH}.
   *
   * @return empty if no path is given and there is none
   * @throws StartException if one cannot be run
   */
  public static List<EnvoyProgram> find(List<Path> paths, Map<String, String> environment)
      throws StartException {
    List<EnvoyProgram> found = new ArrayList<>();
    for (Path path : paths) {
      found.add(at(path));
    }
    if (found.isEmpty()) {
      Path usual = usual(environment);
      if (usual != null) {
        found.add(at(usual));
      }
    }
    return found;
  }

  private static @Nullable Path usual(Map<String, String> environment) {
    String named = environment.getOrDefault("ENVOY", "");
    if (!named.isEmpty()) {
      return Path.of(named);
    }
    for (String directory : environment.getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
      Path candidate = Path.of(directory.isEmpty() ? "." : directory, "envoy");
      if (Files.isRegularFile(candidate) && Files.isExecutable(candidate)) {
        return candidate;
      }
    }
    return null;
  }

  private static String versionText(Path path) throws StartException {
    Process process = null;
    try {
      process =
          new ProcessBuilder(path.toAbsolutePath().toString(), "--version")
              .redirectErrorStream(true)
              .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
              .start();
      Process running = process;
      Thread limit =
          new Thread(
              () -> {
                try {
                  if (!running.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    running.destroyForcibly();
                  }
                } catch (InterruptedException e) {
                  running.destroyForcibly();
                }
              },
              "holdfast-envoy-version");
      limit.setDaemon(true);
      limit.start();
      try (InputStream out = process.getInputStream()) {
        return new String(out.readNBytes(LONGEST_ANSWER), StandardCharsets.UTF_8);
      }
    } catch (IOException e) {
      throw new StartException(path + ": cannot be run: " + e.getMessage(), e);
    } finally {
      if (process != null) {
        process.destroyForcibly();
      }
    }
  }

  /** {@code envoy 1.39.0}. */
  @Override
  public String toString() {
    return "envoy " + version;
  }
}
