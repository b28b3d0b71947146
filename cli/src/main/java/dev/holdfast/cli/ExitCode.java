// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli;

/** What the process says of itself when it ends. */
public final class ExitCode {
  public static final int OK = 0;

  /** The world is not as the command needs it: a file, a server, the output. */
  public static final int FAILED = 1;

  /** The command was called in a way that it does not understand. */
  public static final int BAD_ARGUMENTS = 2;

  private ExitCode() {}
}
