// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.environment;

/** Somebody ended the demo in the middle. */
public final class DemoStoppedException extends RuntimeException {
  DemoStoppedException() {
    super("stopped");
  }
}
