// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.kubernetes;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.interop.TestSources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Where the API server is that tests run. Looked for once per JVM by {@code interop/bin/get-kube},
 * which never builds in a test.
 *
 * @param path the directory of the programs; empty if there is none
 * @param reason why there is none
 */
public record KubeBinaries(String path, String reason) {
  private static final String REQUIRE = "HOLDFAST_REQUIRE";

  /**
   * The directory that holds {@code kube-apiserver}, {@code etcd}, {@code kubectl} and {@code
   * contour-crds.yaml}. Without it the calling test is skipped, or fails where {@code
   * HOLDFAST_REQUIRE=kube} says that none may be.
   */
  public static Path find() {
    KubeBinaries found = Lookup.RESULT;
    if (found.path.isEmpty() && List.of(required().split(",")).contains("kube")) {
      throw new AssertionError(found.reason + " (required by " + REQUIRE + ")");
    }
    assumeTrue(!found.path.isEmpty(), found.reason);
    return Path.of(found.path);
  }

  private static String required() {
    return System.getenv().getOrDefault(REQUIRE, "");
  }

  private static KubeBinaries lookUp() {
    try {
      Process process =
          new ProcessBuilder(
                  TestSources.repositoryRoot().resolve("interop/bin/get-kube").toString(), "--find")
              .redirectErrorStream(true)
              .start();
      String said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return process.waitFor() == 0 ? new KubeBinaries(said, "") : new KubeBinaries("", said);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while looking for an API server", e);
    }
  }

  private static final class Lookup {
    static final KubeBinaries RESULT = lookUp();
  }
}
