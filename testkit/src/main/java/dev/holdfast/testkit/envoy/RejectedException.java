// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

/** A resource is not taken; the message is what the server will read. */
final class RejectedException extends RuntimeException {
  RejectedException(String message) {
    super(message, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
  }

  /** The text of {@code this} exception, which always has one. */
  String text() {
    String message = getMessage();
    return message == null ? "" : message;
  }
}
