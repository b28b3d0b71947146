// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.testing;

import dev.holdfast.base.Decoded;
import dev.holdfast.base.Problem;
import dev.holdfast.base.Problems;
import java.util.List;

/** Takes the outcome of a decoding apart. */
public final class Outcomes {
  private Outcomes() {}

  /** The value, which must be there. */
  public static <T> T value(Decoded<T> decoded) {
    return decoded.fold(
        Decoded.Valid::value,
        invalid -> {
          throw new AssertionError("invalid: " + Problems.describe(invalid.problems()));
        });
  }

  /** The problems as text, in order; none if the value is there. */
  public static List<String> problems(Decoded<?> decoded) {
    return kinds(decoded).stream().map(Problem::toString).toList();
  }

  /** The problems themselves, in order; none if the value is there. */
  public static List<Problem> kinds(Decoded<?> decoded) {
    return decoded.fold(valid -> List.of(), Decoded.Invalid::problems);
  }
}
