// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.index;

import org.jspecify.annotations.Nullable;

/** Whether an object exists and is valid. */
public enum Presence {
  ABSENT,
  /** It exists but cannot be decoded; its own problems say why. */
  INVALID,
  VALID;

  static Presence of(@Nullable IndexedObject indexed) {
    return indexed == null || indexed.foreign()
        ? ABSENT
        : indexed.typed() == null ? INVALID : VALID;
  }
}
