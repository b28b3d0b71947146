// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Files and directories, read once. */
public final class FileSet {
  private FileSet() {}

  /**
   * Reads files, whatever they are called, and the YAML and JSON files of directories. Of one
   * object in two places the first counts, by name of file and place in it. Of a file that breaks
   * off, what stands before the break is read. Names in positions begin as the paths given do.
   */
  public static ReadResult read(List<Path> filesAndDirectories) {
    return read(filesAndDirectories, path -> path, Placement.ANYWHERE);
  }

  /**
   * Reads files and directories as a tree would hold them.
   *
   * @param inTree the path of a file in the tree; null if it is not of the tree
   * @param placement which objects may stand in which files of the tree
   */
  public static ReadResult read(
      List<Path> filesAndDirectories, Function<Path, @Nullable Path> inTree, Placement placement) {
    ProblemCollector collector = new ProblemCollector();
    SortedMap<String, FileResult> files = new TreeMap<>();
    for (Path path : filesAndDirectories) {
      if (Files.isDirectory(path)) {
        FileLister.of(path, TreeLimits.defaults(), collector)
            .files()
            .forEach((name, file) -> files.computeIfAbsent(name, n -> read(n, file)));
      } else {
        files.computeIfAbsent(path.toString(), name -> read(name, new ListedFile(path, null)));
      }
    }
    FileTree tree =
        FileTree.EMPTY.after(
            new ScanResult(files, List.of(), collector.list(), List.of()),
            keys -> Map.of(),
            (name, key) -> {
              Path file = inTree.apply(Path.of(name));
              return file == null ? null : placement.problem(file, key);
            });
    return new ReadResult(
        tree.files().values().stream().flatMap(List::stream).toList(), tree.problems());
  }

  private static FileResult read(String name, ListedFile file) {
    FileResult reading = FileReader.read(name, file);
    return new FileResult(reading.objects(), reading.problems(), FileResult.State.PARTLY);
  }
}
