// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import static java.util.Objects.requireNonNull;

/**
 * A place in something a person wrote.
 *
 * @param source the file as the user named it
 * @param line from 1; 0 for the file as a whole
 * @param column from 1, in characters as an editor counts them; 0 for the file as a whole
 */
public record Position(String source, int line, int column) implements Comparable<Position> {
  public Position {
    requireNonNull(source, "source");
    if (line < 0 || column < 0 || (line == 0) != (column == 0)) {
      throw new IllegalArgumentException(
          "position: " + line + ":" + column + " (expected: both from 1, or both 0)");
    }
  }

  /** A file as a whole: for what has no better place, such as a file that cannot be read. */
  public static Position of(String source) {
    return new Position(source, 0, 0);
  }

  @Override
  public int compareTo(Position other) {
    int order = source.compareTo(other.source);
    if (order == 0) {
      order = Integer.compare(line, other.line);
    }
    return order == 0 ? Integer.compare(column, other.column) : order;
  }

  /** {@code file:line:column}, which editors and terminals make a link of. */
  @Override
  public String toString() {
    return line == 0 ? source : source + ":" + line + ":" + column;
  }
}
