// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import dev.holdfast.base.Problem;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.Position;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects problems with their places, in the order in which they are found. Nobody reads thousands
 * of them, and a file may be made to have millions: after the first hundred they are only counted.
 */
final class ProblemCollector {
  private static final int MOST = 100;

  private final List<LocatedProblem> found = new ArrayList<>();
  private @Nullable Position firstUntold;
  private int untold;

  void undecodable(Position where, String message) {
    add(FieldPath.ROOT, where, Problem.Kind.UNDECODABLE, message);
  }

  /** A problem that is told even after a hundred others, because it explains them. */
  void tooLarge(Position where, String message) {
    found.clear();
    firstUntold = null;
    untold = 0;
    add(FieldPath.ROOT, where, Problem.Kind.INVALID, message);
  }

  void required(FieldPath place, Position where, String message) {
    add(place, where, Problem.Kind.REQUIRED, message);
  }

  void invalid(FieldPath place, Position where, String message) {
    add(place, where, Problem.Kind.INVALID, message);
  }

  void unsupported(FieldPath place, Position where, String message) {
    add(place, where, Problem.Kind.UNSUPPORTED, message);
  }

  private void add(FieldPath place, Position where, Problem.Kind kind, String message) {
    if (found.size() < MOST) {
      found.add(new LocatedProblem(new Problem(place.toString(), kind, message), where));
    } else {
      skip(where);
    }
  }

  /** Adds what others found. */
  void addAll(List<LocatedProblem> problems) {
    for (LocatedProblem problem : problems) {
      if (found.size() < MOST) {
        found.add(problem);
      } else {
        skip(problem.position());
      }
    }
  }

  private void skip(Position where) {
    if (firstUntold == null) {
      firstUntold = where;
    }
    untold++;
  }

  int count() {
    return found.size() + untold;
  }

  List<LocatedProblem> list() {
    List<LocatedProblem> told = new ArrayList<>(found);
    if (firstUntold != null) {
      String message = untold + " more problems (fix the ones listed first)";
      told.add(new LocatedProblem(new Problem("", Problem.Kind.INVALID, message), firstUntold));
    }
    return List.copyOf(told);
  }
}
