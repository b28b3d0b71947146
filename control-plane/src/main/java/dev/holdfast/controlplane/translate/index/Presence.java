// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.index;

import org.jspecify.annotations.Nullable;

/** Whether an object can be used. */
public enum Presence {
  ABSENT,
  /** It is there, but cannot be read; its own problems say why. */
  INVALID,
  VALID;

  static Presence of(@Nullable IndexedObject input) {
    return input == null || input.foreign() ? ABSENT : input.typed() == null ? INVALID : VALID;
  }
}
