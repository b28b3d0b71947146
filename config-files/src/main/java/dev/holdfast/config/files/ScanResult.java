// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import dev.holdfast.config.LocatedProblem;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The result of scanning files and directories.
 *
 * @param files by name
 * @param unreadable directories of which nothing is known, by name
 * @param problems with directories; those with files are in their readings
 * @param directories every directory that was entered
 * @param settling whether files are being written that were not read yet
 * @param allRead whether every file was read at least once; else there may be more objects
 */
record ScanResult(
    SortedMap<String, FileResult> files,
    List<String> unreadable,
    List<LocatedProblem> problems,
    List<Path> directories,
    boolean settling,
    boolean allRead) {
  ScanResult {
    files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
    unreadable = List.copyOf(unreadable);
    problems = List.copyOf(problems);
    directories = List.copyOf(directories);
  }

  /** That of files that are at rest. */
  ScanResult(
      SortedMap<String, FileResult> files,
      List<String> unreadable,
      List<LocatedProblem> problems,
      List<Path> directories) {
    this(files, unreadable, problems, directories, /* settling= */ false, /* allRead= */ true);
  }

  /** Whether a file of that name may exist although it was not seen. */
  boolean mayHide(String file) {
    return mayHide(unreadable, file);
  }

  /** Whether one of these directories may hold a file of that name. */
  static boolean mayHide(List<String> unreadable, String file) {
    for (String directory : unreadable) {
      if (Path.of(file).startsWith(Path.of(directory))) {
        return true;
      }
    }
    return false;
  }
}
