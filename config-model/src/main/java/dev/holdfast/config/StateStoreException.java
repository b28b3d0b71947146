// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/** A store could not do what it was asked to. The message says where, why, and what helps. */
public final class StateStoreException extends RuntimeException {
  private final Kind kind;

  /** What is the matter, for those who treat some of it differently. */
  public enum Kind {
    /** Another process, or another store of this one, has it. */
    IN_USE,
    /** The place cannot hold a state: no such directory, no permission. */
    UNUSABLE,
    /** What is there was not written by Holdfast. */
    FOREIGN,
    /** What is there was written by a newer Holdfast. */
    TOO_NEW,
    /** What is there cannot be understood any more. */
    DAMAGED,
    /** No space is left. */
    FULL,
    /** What was opened is no longer at its place. */
    MOVED,
    /** The store was closed. */
    CLOSED,
    /** Anything else. */
    FAILED
  }

  public StateStoreException(Kind kind, String message) {
    this(kind, message, null);
  }

  public StateStoreException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = requireNonNull(kind, "kind");
  }

  public Kind kind() {
    return kind;
  }
}
