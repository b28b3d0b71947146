// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;

/** A generation of an object, and what its author meant by it. */
record Written(Sketch sketch, ConfigObject object) {
  ObjectKey key() {
    return sketch.key();
  }

  long generation() {
    return object.generation();
  }

  @Override
  public String toString() {
    return sketch.key().kind()
        + "/"
        + sketch.key().name()
        + "@"
        + generation()
        + (sketch.flaw() == Flaw.NONE ? "" : "(" + sketch.flaw().text() + ")");
  }
}
