// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import dev.holdfast.base.Problem;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.Position;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * What is wrong with one configuration, and how much of it may still be read. A document can name a
 * value and repeat it, so a short one can stand for a huge tree. Lives for one reading.
 */
final class ProblemCollector {
  private static final int MOST_PROBLEMS = 1_000;
  private static final int MOST_VALUES = 200_000;
  private static final long MOST_TEXT = 16 << 20;

  private final List<LocatedProblem> problems = new ArrayList<>();
  private int values;
  private long text;
  private boolean exhausted;

  void add(String path, Problem.Kind kind, String message, Position position) {
    if (problems.size() < MOST_PROBLEMS) {
      problems.add(new LocatedProblem(new Problem(path, kind, message), position));
    } else {
      exhausted = true;
    }
  }

  /** Whether one more value may be read; once it may not, the reason is among the problems. */
  boolean take(Value value, FieldPath at) {
    if (exhausted) {
      return false;
    }
    values++;
    if (value instanceof Scalar scalar && scalar.value() instanceof String string) {
      text += string.length();
    }
    if (values > MOST_VALUES || text > MOST_TEXT) {
      exhausted = true;
      String most = MOST_VALUES + " values and " + MOST_TEXT + " characters";
      at.invalid(value, "too large (expected: at most " + most + ")");
    }
    return !exhausted;
  }

  /** Whether the reading ended early. */
  boolean isExhausted() {
    return exhausted;
  }

  List<LocatedProblem> problems() {
    return problems;
  }
}
