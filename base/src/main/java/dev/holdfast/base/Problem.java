// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.base;

import static java.util.Objects.requireNonNull;

/**
 * One thing that is wrong with a piece of configuration: the single error currency from decoder to
 * NACK text to object status.
 *
 * @param path where, as a field path ({@code virtual_hosts[2].routes[0].match}); empty for the
 *     whole resource
 * @param kind what sort of problem, for machines
 * @param message what is wrong and what was expected, for people
 */
public record Problem(String path, Kind kind, String message) {

  /** The sorts of problem that callers treat differently. */
  public enum Kind {
    /** The bytes are not a message of the expected type. */
    UNDECODABLE,
    /** A field that must be set is not. */
    REQUIRED,
    /** A value outside of what is allowed. */
    INVALID,
    /** Meaningful elsewhere, but not something this client can do. */
    UNSUPPORTED,
    /** Good by itself, but something else has it already. */
    CONFLICT
  }

  public Problem {
    requireNonNull(path, "path");
    requireNonNull(kind, "kind");
    requireNonNull(message, "message");
  }

  /** The problem as it stands in an error text: {@code path: message}. */
  @Override
  public String toString() {
    return path.isEmpty() ? message : path + ": " + message;
  }
}
