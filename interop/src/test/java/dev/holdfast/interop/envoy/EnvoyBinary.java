// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.envoy;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the Envoy is that tests run. Looked for once per JVM by {@code interop/bin/get-envoy},
 * which the build has run before; tests never fetch.
 *
 * @param path the executable; empty if there is none
 * @param reason why there is none
 */
public record EnvoyBinary(String path, String reason) {
  private static final String REQUIRE = "HOLDFAST_REQUIRE";

  /**
   * The executable. Without one the calling test is skipped, or fails where {@code
   * HOLDFAST_REQUIRE=envoy} says that none may be.
   */
  public static Path find() {
    EnvoyBinary found = Lookup.RESULT;
    if (found.path.isEmpty() && List.of(required().split(",")).contains("envoy")) {
      throw new AssertionError(found.reason + " (required by " + REQUIRE + ")");
    }
    assumeTrue(!found.path.isEmpty(), found.reason);
    return Path.of(found.path);
  }

  /** An older version of it. Without one the calling test is skipped. */
  public static Path older() {
    EnvoyBinary found = OlderLookup.RESULT;
    assumeTrue(!found.path.isEmpty(), found.reason);
    return Path.of(found.path);
  }

  private static String required() {
    return System.getenv().getOrDefault(REQUIRE, "");
  }

  private static EnvoyBinary lookUp(String... arguments) {
    try {
      List<String> command = new ArrayList<>();
      command.add(repositoryRoot().resolve("interop/bin/get-envoy").toString());
      command.addAll(List.of(arguments));
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return process.waitFor() == 0 ? new EnvoyBinary(said, "") : new EnvoyBinary("", said);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while looking for Envoy", e);
    }
  }

  private static Path repositoryRoot() {
    for (Path dir = Path.of("").toAbsolutePath(); dir != null; dir = dir.getParent()) {
      if (Files.exists(dir.resolve("mvnw"))) {
        return dir;
      }
    }
    throw new AssertionError("no directory above this one holds mvnw");
  }

  private static final class Lookup {
    static final EnvoyBinary RESULT = lookUp("--find");
  }

  private static final class OlderLookup {
    static final EnvoyBinary RESULT = lookUp("--older", "--find");
  }
}
