// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.kubernetes.access;

import org.jspecify.annotations.Nullable;

/** It is not known how to reach a cluster. The message says what is missing, and where. */
public final class AccessException extends Exception {
  public AccessException(String message) {
    this(message, null);
  }

  public AccessException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
