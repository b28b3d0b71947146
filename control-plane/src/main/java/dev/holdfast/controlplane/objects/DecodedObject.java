// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects;

import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.read.TypedObject;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The result of decoding one object. */
public sealed interface DecodedObject {
  ObjectKey key();

  /** Handles both outcomes. */
  <R extends @Nullable Object> R fold(
      Function<? super Valid, ? extends R> valid, Function<? super Invalid, ? extends R> invalid);

  /** All problems in document order; empty if there are none. */
  default List<LocatedProblem> problems() {
    return fold(Valid::leftOut, Invalid::problems);
  }

  /**
   * The object can be used.
   *
   * @param leftOut the problems with parts that are left out; empty if all of it is used
   */
  record Valid(TypedObject object, List<LocatedProblem> leftOut) implements DecodedObject {
    public Valid {
      leftOut = List.copyOf(leftOut);
    }

    @Override
    public ObjectKey key() {
      return object.key();
    }

    @Override
    public <R extends @Nullable Object> R fold(
        Function<? super Valid, ? extends R> valid,
        Function<? super Invalid, ? extends R> invalid) {
      return valid.apply(this);
    }
  }

  /**
   * The object has problems that make it unusable.
   *
   * @param readable the object as far as it could be read, only to look for further problems; null
   *     if its kind is unknown
   */
  record Invalid(ObjectKey key, List<LocatedProblem> problems, @Nullable TypedObject readable)
      implements DecodedObject {
    public Invalid {
      problems = List.copyOf(problems);
      if (problems.isEmpty()) {
        throw new IllegalArgumentException("problems: [] (expected: at least one)");
      }
    }

    @Override
    public <R extends @Nullable Object> R fold(
        Function<? super Valid, ? extends R> valid,
        Function<? super Invalid, ? extends R> invalid) {
      return invalid.apply(this);
    }
  }
}
