// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.kubernetes.deploy;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.interop.TestSources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The Helm that {@code interop/bin/get-helm} finds. */
final class HelmBinary {
  private static final String REQUIRE = "HOLDFAST_REQUIRE";

  private HelmBinary() {}

  /**
   * What the chart makes of values. Without a Helm the calling test is skipped, or fails where
   * {@code HOLDFAST_REQUIRE=helm} says that none may be.
   */
  static String template(Path chart, String namespace, Path values) {
    Output found =
        run(TestSources.repositoryRoot().resolve("interop/bin/get-helm").toString(), "--find");
    boolean isRequired =
        List.of(System.getenv().getOrDefault(REQUIRE, "").split(",")).contains("helm");
    if (found.code != 0 && isRequired) {
      throw new AssertionError(found.text + " (required by " + REQUIRE + ")");
    }
    assumeTrue(found.code == 0, found.text);
    Output rendered =
        run(
            found.text,
            "template",
            "holdfast",
            chart.toString(),
            "--namespace",
            namespace,
            "--kube-version",
            "1.36.0",
            "--values",
            values.toString());
    if (rendered.code != 0) {
      throw new AssertionError("helm template: " + rendered.text);
    }
    return rendered.text + "\n";
  }

  private record Output(int code, String text) {}

  private static Output run(String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String text =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return new Output(process.waitFor(), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }
}
