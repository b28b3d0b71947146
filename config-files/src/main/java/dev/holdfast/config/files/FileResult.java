// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.LocatedProblem;
import java.util.List;

/**
 * What one file holds.
 *
 * @param objects those that could be read
 * @param problems what is wrong with the rest
 * @param state how far the file can be trusted
 */
record FileResult(List<ConfigObject> objects, List<LocatedProblem> problems, State state) {
  FileResult {
    objects = List.copyOf(objects);
    problems = List.copyOf(problems);
  }

  enum State {
    /** Read to the end, and all of it understood: what is not in it is not there. */
    COMPLETE,
    /** Read to the end, but some documents are not understood: they may be any object. */
    PARTLY,
    /** Not a byte in it but white space, as a file looks that somebody is about to write. */
    BLANK,
    /** Not read to the end: unreadable, or cut off. Nothing in it counts. */
    BROKEN
  }
}
