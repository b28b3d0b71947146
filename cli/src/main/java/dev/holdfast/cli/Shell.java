// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli;

import dev.holdfast.base.SystemTime;
import dev.holdfast.base.TimeSource;
import dev.holdfast.cli.output.Style;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * What surrounds one run of the command. Tests supply their own.
 *
 * @param environment the environment variables
 * @param terminal whether a person is at the other end of {@code in} and {@code out}
 */
public record Shell(
    InputStream in,
    PrintStream out,
    PrintStream err,
    Map<String, String> environment,
    TimeSource time,
    Terminal terminal) {
  private static final int WIDTH_OF_A_PIPE = 120;
  private static final int NARROWEST = 40;

  /**
   * Which of the standard streams are a terminal. The JDK cannot tell reliably, so the launcher
   * says.
   */
  public record Terminal(boolean in, boolean out) {
    /** Neither: pipes and files. */
    public static Terminal none() {
      return new Terminal(/* in= */ false, /* out= */ false);
    }
  }

  /** The process's own. Everything that is written is UTF-8, whatever the locale says. */
  static Shell ofProcess() {
    return new Shell(
        System.in,
        new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8),
        new PrintStream(new FileOutputStream(FileDescriptor.err), false, StandardCharsets.UTF_8),
        System.getenv(),
        SystemTime.instance(),
        new Terminal(
            Boolean.getBoolean("holdfast.terminal.in"),
            Boolean.getBoolean("holdfast.terminal.out")));
  }

  /** How many characters fit into a line. */
  public int width() {
    String columns = environment.getOrDefault("COLUMNS", "");
    return columns.matches("[1-9][0-9]{0,4}")
        ? Math.max(NARROWEST, Integer.parseInt(columns))
        : WIDTH_OF_A_PIPE;
  }

  /** Whether lines that were written can be written over. */
  public boolean isAnimated() {
    return terminal.out() && !environment.getOrDefault("TERM", "").equals("dumb");
  }

  /** Colours on a terminal, unless the environment turns them off. */
  public Style style() {
    boolean unwanted =
        !environment.getOrDefault("NO_COLOR", "").isEmpty()
            || environment.getOrDefault("TERM", "").equals("dumb");
    return terminal.out() && !unwanted ? Style.COLOURED : Style.PLAIN;
  }
}
