// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.world;

/** Somebody ended the demo in the middle. */
public final class Stopped extends RuntimeException {
  Stopped() {
    super("stopped");
  }
}
