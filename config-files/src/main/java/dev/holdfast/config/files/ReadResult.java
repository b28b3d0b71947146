// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.LocatedProblem;
import java.util.List;

/**
 * Objects that were read, and what is wrong with the rest.
 *
 * @param objects in the order in which they were written
 * @param problems in the order in which they were found
 */
public record ReadResult(List<ConfigObject> objects, List<LocatedProblem> problems) {
  public ReadResult {
    objects = List.copyOf(objects);
    problems = List.copyOf(problems);
  }
}
