// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.environment;

/** The demo was stopped before its end. */
public final class DemoStoppedException extends RuntimeException {
  DemoStoppedException() {
    super("stopped");
  }
}
