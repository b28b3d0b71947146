// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.Value;
import java.util.List;

/**
 * The documents of one file.
 *
 * @param documents those in which nothing is wrong, in order
 * @param problems what is wrong with the others
 * @param whole whether the file was read to its end; if not, there may have been more documents
 */
public record Documents(List<Value> documents, List<LocatedProblem> problems, boolean whole) {
  public Documents {
    documents = List.copyOf(documents);
    problems = List.copyOf(problems);
  }
}
