// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import dev.holdfast.base.Problem;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.Position;
import java.util.ArrayList;
import java.util.List;

/** Collects problems with their places, in the order in which they are found. */
final class Findings {
  private final List<LocatedProblem> found = new ArrayList<>();

  void undecodable(Position where, String message) {
    add(Place.ROOT, where, Problem.Kind.UNDECODABLE, message);
  }

  void required(Place place, Position where, String message) {
    add(place, where, Problem.Kind.REQUIRED, message);
  }

  void invalid(Place place, Position where, String message) {
    add(place, where, Problem.Kind.INVALID, message);
  }

  void unsupported(Place place, Position where, String message) {
    add(place, where, Problem.Kind.UNSUPPORTED, message);
  }

  private void add(Place place, Position where, Problem.Kind kind, String message) {
    found.add(new LocatedProblem(new Problem(place.toString(), kind, message), where));
  }

  int count() {
    return found.size();
  }

  List<LocatedProblem> list() {
    return List.copyOf(found);
  }
}
