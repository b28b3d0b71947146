// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli;

/** The exit codes of the process. */
public final class ExitCode {
  public static final int OK = 0;

  /** The world is not as the command needs it: a file, a server, the output. */
  public static final int FAILED = 1;

  /** The command was called in a way that it does not understand. */
  public static final int BAD_ARGUMENTS = 2;

  /** Proxies, or the server, refused what is wanted. */
  public static final int REJECTED = 3;

  /** What is wanted did not come in time. */
  public static final int TIMED_OUT = 4;

  /** What is wanted is not what is served. */
  public static final int DIFFERENT = 5;

  private ExitCode() {}
}
