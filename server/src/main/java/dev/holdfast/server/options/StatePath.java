// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;

/**
 * Where the state of a served directory is if nobody says: among the user's other state, under a
 * name that follows from where the directory really is. So two directories never share one state,
 * and one directory has the same state from wherever it is served. Nothing is written next to the
 * objects, which may be a checkout or not be writable.
 */
final class StatePath {
  private static final int DIGITS = 12;

  private StatePath() {}

  /**
   * @throws StartException if the environment does not tell where the user's state is
   */
  static Path of(SourceOptions source, Map<String, String> environment) throws StartException {
    if (source instanceof SourceOptions.Directory directory) {
      return of(directory.path(), environment);
    }
    SourceOptions.Cluster cluster = (SourceOptions.Cluster) source;
    return of("kubernetes-" + digest(cluster + " " + cluster.kubeconfig()), environment);
  }

  static Path of(Path directory, Map<String, String> environment) throws StartException {
    return of(key(directory), environment);
  }

  private static Path of(String key, Map<String, String> environment) throws StartException {
    return base(environment).resolve("holdfast").resolve(key).resolve("state.db");
  }

  private static Path base(Map<String, String> environment) throws StartException {
    // A relative path is to be ignored, says the XDG specification.
    String given = environment.getOrDefault("XDG_STATE_HOME", "");
    if (!given.isEmpty() && Path.of(given).isAbsolute()) {
      return Path.of(given);
    }
    String home = environment.getOrDefault("HOME", "");
    if (home.isEmpty() || !Path.of(home).isAbsolute()) {
      throw new StartException(
          "state: no default location, because neither XDG_STATE_HOME nor HOME is set"
              + " (expected: --state PATH)");
    }
    return Path.of(home, ".local", "state");
  }

  /** The directory's own name, for people, and a digest of its path, for certainty. */
  private static String key(Path directory) {
    Path real = real(directory);
    Path name = real.getFileName();
    String readable = name == null ? "" : name.toString().replaceAll("[^A-Za-z0-9._-]", "_") + "-";
    return readable + digest(real.toString());
  }

  private static Path real(Path directory) {
    try {
      return directory.toRealPath();
    } catch (IOException e) { // is reported by whoever reads it
      return directory.toAbsolutePath().normalize();
    }
  }

  private static String digest(String text) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      return HexFormat.of()
          .formatHex(sha256.digest(text.getBytes(StandardCharsets.UTF_8)))
          .substring(0, DIGITS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
