// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Files and directories, read once. */
public final class FileSet {
  private FileSet() {}

  /**
   * Reads files, whatever they are called, and the YAML and JSON files of directories. Of one
   * object in two places the first counts, by name of file and place in it. Of a file that breaks
   * off, what stands before the break is read. Names in positions begin as the paths given do.
   */
  public static Reading read(List<Path> filesAndDirectories) {
    Findings findings = new Findings();
    SortedMap<String, FileReading> files = new TreeMap<>();
    for (Path path : filesAndDirectories) {
      if (Files.isDirectory(path)) {
        Listing.of(path, findings)
            .files()
            .forEach((name, file) -> files.computeIfAbsent(name, n -> read(n, file)));
      } else {
        files.computeIfAbsent(path.toString(), name -> read(name, path));
      }
    }
    Tree tree = Tree.EMPTY.after(new Scan(files, List.of(), findings.list(), List.of()));
    return new Reading(
        tree.files().values().stream().flatMap(List::stream).toList(), tree.problems());
  }

  private static FileReading read(String name, Path file) {
    FileReading reading = FileReader.read(name, file);
    return new FileReading(reading.objects(), reading.problems(), FileReading.State.PARTLY);
  }
}
