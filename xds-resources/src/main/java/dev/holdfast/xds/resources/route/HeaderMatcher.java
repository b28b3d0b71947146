// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.route;

import dev.holdfast.xds.resources.matcher.StringMatcher;
import org.jspecify.annotations.Nullable;

/**
 * A test of one header.
 *
 * @param name the header, in lower case
 * @param invert whether what fits does not pass, and the other way round
 */
public record HeaderMatcher(String name, Test test, boolean invert) {

  /**
   * Whether a call passes.
   *
   * @param value of the header, multiple ones joined by commas; null if it has none
   */
  public boolean matches(@Nullable String value) {
    if (value == null && !test.decidesAbsence()) {
      return false; // even if inverted: a value that is not there can neither fit nor fail to
    }
    return test.passes(value) != invert;
  }

  /** What is asked of the header. */
  public sealed interface Test {
    /** Whether the value passes; null only if {@link #decidesAbsence}. */
    boolean passes(@Nullable String value);

    /** Whether this test has an opinion about a header that is not there. */
    default boolean decidesAbsence() {
      return false;
    }
  }

  /** Asks for the presence of the header, or for its absence. */
  public record Presence(boolean present) implements Test {
    @Override
    public boolean passes(@Nullable String value) {
      return (value != null) == present;
    }

    @Override
    public boolean decidesAbsence() {
      return true;
    }
  }

  /** Asks for a text. */
  public record Value(StringMatcher matcher) implements Test {
    @Override
    public boolean passes(@Nullable String value) {
      return value != null && matcher.matches(value);
    }
  }

  /** Asks for a decimal integer from {@code start}, inclusive, to {@code end}, exclusive. */
  public record Range(long start, long end) implements Test {
    @Override
    public boolean passes(@Nullable String value) {
      if (value == null) {
        return false;
      }
      try {
        long number = Long.parseLong(value);
        return number >= start && number < end;
      } catch (NumberFormatException e) {
        return false;
      }
    }
  }
}
