// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.holdfast.config.Position;
import dev.holdfast.config.Scalar;
import org.jspecify.annotations.Nullable;

/** The keys of maps, which are strings in JSON whatever their type is. */
final class MapKeys {
  private MapKeys() {}

  /** Null after a problem. */
  static @Nullable Object read(FieldDescriptor field, String key, Position position, FieldPath at) {
    Scalar written = new Scalar(key, position);
    if (!at.findings().take(written, at)) {
      return null;
    }
    if (field.getType() == FieldDescriptor.Type.BOOL) {
      if (key.equals("true") || key.equals("false")) {
        return Boolean.valueOf(key);
      }
      at.invalid(position, "a key (expected: true or false)");
      return null;
    }
    return ScalarReader.read(field, written, at);
  }
}
