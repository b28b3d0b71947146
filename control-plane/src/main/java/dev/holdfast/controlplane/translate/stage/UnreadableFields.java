// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.stage;

import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.Mapping;
import dev.holdfast.controlplane.objects.references.FieldPositions;
import dev.holdfast.controlplane.translate.check.ObjectProblem;
import java.util.List;

/**
 * The fields of an object that could not be decoded. Nothing that follows from them is a problem of
 * its own: they have defaults in their place.
 */
record UnreadableFields(List<String> paths) {
  /**
   * @param body of the object
   * @param problems of its decoding
   */
  static UnreadableFields of(Mapping body, List<LocatedProblem> problems) {
    return new UnreadableFields(
        problems.stream().map(located -> unclear(body, located.problem().path())).toList());
  }

  /** An element that is left out moves those after it, so the whole list is unclear. */
  private static String unclear(Mapping body, String path) {
    return path.endsWith("]") && !FieldPositions.isMapping(body, path)
        ? path.substring(0, path.lastIndexOf('['))
        : path;
  }

  /** The problems that do not concern these fields. */
  List<ObjectProblem> without(List<ObjectProblem> problems) {
    return problems.stream().filter(problem -> isReadable(problem.problem().path())).toList();
  }

  private boolean isReadable(String path) {
    return paths.stream().noneMatch(other -> contains(other, path) || contains(path, other));
  }

  private static boolean contains(String outer, String inner) {
    return inner.startsWith(outer)
        && (inner.length() == outer.length()
            || inner.charAt(outer.length()) == '.'
            || inner.charAt(outer.length()) == '[');
  }
}
