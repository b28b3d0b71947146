// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * Values in order.
 *
 * @param elements the values
 * @param position where the sequence starts
 */
public record Sequence(List<Value> elements, Position position) implements Value {
  public Sequence {
    requireNonNull(position, "position");
    elements = List.copyOf(elements);
  }
}
