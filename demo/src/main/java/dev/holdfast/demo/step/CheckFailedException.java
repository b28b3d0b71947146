// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.step;

/** A claim was not so; whoever claimed it has said so already. */
final class CheckFailedException extends RuntimeException {
  CheckFailedException(String claim) {
    super(claim);
  }
}
