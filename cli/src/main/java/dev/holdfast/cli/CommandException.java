// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli;

/**
 * The command was called well but cannot do what it was asked to. The message is for the user: what
 * failed, where, and what to do.
 */
public final class CommandException extends RuntimeException {
  public CommandException(String message) {
    super(message);
  }

  public CommandException(String message, Throwable cause) {
    super(message, cause);
  }
}
