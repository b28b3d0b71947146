// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.waiting;

import java.time.Duration;
import picocli.CommandLine.Option;

/** The option {@code --timeout}. */
public final class TimeoutOption {
  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = TimeSpan.class,
      description = "How long to wait, such as 500ms, 30s or 2m. Default: 30s.")
  Duration timeout = Duration.ofSeconds(30);

  public Duration timeout() {
    return timeout;
  }
}
