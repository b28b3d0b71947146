// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

/** Something is not as it must always be. */
final class Broken extends RuntimeException {
  Broken(String message) {
    super(message);
  }
}
