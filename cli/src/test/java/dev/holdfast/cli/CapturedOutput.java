// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.base.TimeSource;
import dev.holdfast.cli.output.Console;
import dev.holdfast.testkit.ManualTime;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;

/** Keeps what a command prints. */
public final class CapturedOutput {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final TimeSource time = new ManualTime();

  public Console console() {
    return new Console(new PrintStream(out, false, UTF_8), new PrintStream(err, false, UTF_8));
  }

  public TimeSource time() {
    return time;
  }

  /** Runs a command that ends by itself, with nothing to read, and returns its exit code. */
  public int run(String... args) {
    return run(Map.of(), args);
  }

  public int run(Map<String, String> environment, String... args) {
    InputStream in = new ByteArrayInputStream(new byte[0]);
    return Main.run(
        new Shell(
            in,
            new PrintStream(out, false, UTF_8),
            new PrintStream(err, false, UTF_8),
            environment,
            time,
            Shell.Terminal.none()),
        args);
  }

  public String out() {
    return out.toString(UTF_8);
  }

  public List<String> lines() {
    return out().lines().toList();
  }

  public String err() {
    return err.toString(UTF_8);
  }
}
