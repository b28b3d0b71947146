// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import static java.util.Objects.requireNonNull;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * One plain value.
 *
 * @param value a String, a Boolean, a Long, a BigDecimal (whatever number is no Long), or null
 * @param position where it starts
 */
public record Scalar(@Nullable Object value, Position position) implements Value {
  public Scalar {
    requireNonNull(position, "position");
    if (!(value == null
        || value instanceof String
        || value instanceof Boolean
        || value instanceof Long
        || value instanceof BigDecimal)) {
      throw new IllegalArgumentException(
          "value: "
              + value.getClass().getName()
              + " (expected: String, Boolean, Long, BigDecimal or null)");
    }
  }
}
