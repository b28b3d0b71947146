// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.base;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What came of decoding one named thing: a value, or every problem that stands in its way.
 *
 * @param <T> the decoded value
 */
public sealed interface Decoded<T> {

  /** The name the thing gives itself; null if it could not be read. */
  @Nullable String name();

  /** Handles both outcomes. */
  <R extends @Nullable Object> R fold(
      Function<? super Valid<T>, ? extends R> valid,
      Function<? super Invalid<T>, ? extends R> invalid);

  /** A value that passed every check. */
  static <T> Decoded<T> valid(String name, T value) {
    return new Valid<>(name, value);
  }

  /** A thing whose name may or may not be known, with what is wrong with it. */
  static <T> Decoded<T> invalid(@Nullable String name, List<Problem> problems) {
    return new Invalid<>(name, problems);
  }

  /** See {@link #valid}. */
  record Valid<T>(String name, T value) implements Decoded<T> {
    public Valid {
      requireNonNull(name, "name");
      requireNonNull(value, "value");
    }

    @Override
    public <R extends @Nullable Object> R fold(
        Function<? super Valid<T>, ? extends R> valid,
        Function<? super Invalid<T>, ? extends R> invalid) {
      return valid.apply(this);
    }
  }

  /** See {@link #invalid}. */
  record Invalid<T>(@Nullable String name, List<Problem> problems) implements Decoded<T> {
    public Invalid {
      problems = List.copyOf(problems);
      if (problems.isEmpty()) {
        throw new IllegalArgumentException("problems: [] (expected: at least one)");
      }
    }

    @Override
    public <R extends @Nullable Object> R fold(
        Function<? super Valid<T>, ? extends R> valid,
        Function<? super Invalid<T>, ? extends R> invalid) {
      return invalid.apply(this);
    }
  }
}
