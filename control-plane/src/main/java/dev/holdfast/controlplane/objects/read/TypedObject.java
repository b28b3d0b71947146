// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.read;

import dev.holdfast.config.ObjectKey;

/** An object whose fields have been read and found right, as far as it can be told of it alone. */
public interface TypedObject {
  ObjectKey key();
}
