// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** The size of a tree while it is listed, which ends where a limit is exceeded. */
final class TreeSize {
  /** A limit was exceeded. */
  static final class ExceededException extends Exception {
    private static final long serialVersionUID = 1;

    ExceededException(String problem) {
      super(problem, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
    }

    String problem() {
      return String.valueOf(getMessage());
    }
  }

  private final Path root;
  private final TreeLimits limits;
  private final Map<Path, Long> entriesByPart = new TreeMap<>();
  private final Map<Path, Long> bytesByPart = new TreeMap<>();
  private int entries;
  private long bytes;

  TreeSize(Path root, TreeLimits limits) {
    this.root = root;
    this.limits = limits;
  }

  /** Counts a file or a directory. */
  void entry(Path path) throws ExceededException {
    entriesByPart.merge(part(path), 1L, Long::sum);
    if (++entries > limits.entries()) {
      throw exceeded(
          "more than "
              + limits.entries()
              + " files and directories, most of them in "
              + largest(entriesByPart),
          "files");
    }
  }

  /** Counts the content of a file. Of one that is too large to be read, no more is read. */
  void file(Path path, long size) throws ExceededException {
    long read = Math.min(size, YamlReader.MOST_BYTES);
    bytes += read;
    bytesByPart.merge(part(path), read, Long::sum);
    if (bytes > limits.bytes()) {
      throw exceeded(
          "files of more than "
              + limits.bytes()
              + " bytes together, most of them in "
              + largest(bytesByPart),
          "bytes");
    }
  }

  /** A directory is to be entered. */
  void level(Path directory, int depth) throws ExceededException {
    if (depth > limits.depth()) {
      throw exceeded(
          "directories deeper than " + limits.depth() + " levels in " + part(directory), "depth");
    }
  }

  private static ExceededException exceeded(String what, String limit) {
    return new ExceededException(
        "the tree is too large and none of it is read, so that all objects stay as they were: "
            + what
            + " (expected: a tree of objects; remove what does not belong here, or raise the limit"
            + " '"
            + limit
            + "')");
  }

  /** The entry of the root through which a path leads. */
  private Path part(Path path) {
    Path below = root.relativize(path);
    return root.resolve(below.getName(0));
  }

  private Path largest(Map<Path, Long> sizes) {
    Path largest = root;
    long most = 0;
    for (Map.Entry<Path, Long> size : sizes.entrySet()) {
      if (size.getValue() > most) {
        most = size.getValue();
        largest = size.getKey();
      }
    }
    // Many small parts: the root itself holds them.
    return most * 2 > sizes.values().stream().mapToLong(Long::longValue).sum() ? largest : root;
  }
}
