// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.step;

/** A check failed. The narrator was told already. */
final class CheckFailedException extends RuntimeException {
  CheckFailedException(String check) {
    super(check);
  }
}
