// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import org.jspecify.annotations.Nullable;

/**
 * The daemon cannot start. The message is one line for whoever started it: what, where, and what to
 * do.
 */
public final class StartException extends Exception {
  public StartException(String message) {
    super(message);
  }

  public StartException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
