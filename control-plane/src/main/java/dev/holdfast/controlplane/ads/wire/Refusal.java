// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import io.grpc.Status;

/**
 * A stream ends because of a limit, or of an identity.
 *
 * @param limit the name of the limit, as in docs/serve.md
 * @param status that the client gets
 */
public record Refusal(String limit, Status status) {
  /** A text is longer than it may be. */
  static Refusal tooLong(String what, long bytes, String limit, long most) {
    return new Refusal(
        limit,
        Status.INVALID_ARGUMENT.withDescription(
            what
                + " has "
                + bytes
                + " bytes (expected: at most "
                + most
                + ", limit "
                + limit
                + ")"));
  }

  /** A client may not be what it says that it is. */
  public static Refusal notAllowed(String why) {
    return new Refusal("identity", Status.PERMISSION_DENIED.withDescription(why));
  }

  /** Something is too much, or too often. */
  public static Refusal tooMuch(String what, String limit, long most) {
    return new Refusal(
        limit,
        Status.RESOURCE_EXHAUSTED.withDescription(
            what + " (expected: at most " + most + ", limit " + limit + ")"));
  }
}
