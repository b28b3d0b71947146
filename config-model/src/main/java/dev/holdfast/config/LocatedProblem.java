// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import static java.util.Objects.requireNonNull;

import dev.holdfast.base.Problem;

/**
 * A problem and the place in a file where its author can mend it.
 *
 * @param problem what is wrong, with the path inside the document
 * @param position where
 */
public record LocatedProblem(Problem problem, Position position) {
  public LocatedProblem {
    requireNonNull(problem, "problem");
    requireNonNull(position, "position");
  }

  /** {@code file:line:column: path: message}. */
  @Override
  public String toString() {
    return position + ": " + problem;
  }
}
