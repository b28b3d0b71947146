// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.monitoring;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.interop.TestSources;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Where the Prometheus is that tests run, as {@code interop/bin/find-prometheus} finds it. */
public final class PrometheusBinary {
  private static final String REQUIRE = "HOLDFAST_REQUIRE";

  private PrometheusBinary() {}

  /**
   * The executable, with promtool beside it. Without them the calling test is skipped, or fails
   * where {@code HOLDFAST_REQUIRE=prometheus} says that none may be.
   */
  public static Path find() throws Exception {
    Process process =
        new ProcessBuilder(
                TestSources.repositoryRoot().resolve("interop/bin/find-prometheus").toString())
            .redirectErrorStream(true)
            .start();
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    boolean found = process.waitFor() == 0;
    String required = System.getenv().getOrDefault(REQUIRE, "");
    if (!found && List.of(required.split(",")).contains("prometheus")) {
      throw new AssertionError(said + " (required by " + REQUIRE + ")");
    }
    assumeTrue(found, said);
    return Path.of(said);
  }
}
