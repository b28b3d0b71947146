// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.console;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.interop.TestSources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Where the Chromium is that tests run: found once per JVM by {@code interop/bin/find-chromium}.
 *
 * @param path the executable; empty if there is none
 * @param reason why there is none
 */
record ChromiumBinary(String path, String reason) {
  private static final String REQUIRE = "HOLDFAST_REQUIRE";

  /**
   * The executable. Without one the calling test is skipped, or fails where {@code
   * HOLDFAST_REQUIRE=chromium} says that none may be.
   */
  static String find() {
    ChromiumBinary found = Lookup.RESULT;
    if (found.path.isEmpty() && List.of(required().split(",")).contains("chromium")) {
      throw new AssertionError(found.reason + " (required by " + REQUIRE + ")");
    }
    assumeTrue(!found.path.isEmpty(), found.reason);
    return found.path;
  }

  private static String required() {
    return System.getenv().getOrDefault(REQUIRE, "");
  }

  private static ChromiumBinary lookUp() {
    try {
      Process process =
          new ProcessBuilder(
                  TestSources.repositoryRoot().resolve("interop/bin/find-chromium").toString())
              .redirectErrorStream(true)
              .start();
      String said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return process.waitFor() == 0 ? new ChromiumBinary(said, "") : new ChromiumBinary("", said);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while looking for Chromium", e);
    }
  }

  private static final class Lookup {
    static final ChromiumBinary RESULT = lookUp();
  }
}
