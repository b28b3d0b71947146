// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.read;

import dev.holdfast.config.ObjectKey;

/** A decoded object that is valid by itself, regardless of other objects. */
public interface TypedObject {
  ObjectKey key();
}
