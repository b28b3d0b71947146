// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import dev.holdfast.config.Position;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The files of a tree that may hold objects. What begins with a dot is left out: editors put
 * half-written files there, and Kubernetes its versions of a mounted volume.
 *
 * <p>Links are followed as long as they lead to another place in the tree, also to one that begins
 * with a dot, as the files of a mounted volume do. A directory that several names lead to is
 * entered under the first of them, so that a loop ends. A link that leads out of the tree is a
 * problem and is not followed: there may be anything at its end, from the objects of others to
 * {@code /proc}. What was read through that name before stays, as with anything that cannot be
 * read.
 */
final class FileLister {
  private static final String WHAT_TO_DO =
      "it is not followed (expected: the files themselves, or a link to a place in the tree)";

  private final SortedMap<String, ListedFile> files = new TreeMap<>();
  private final List<Path> directories = new ArrayList<>();
  private final List<String> unreadable = new ArrayList<>();
  private final Set<Path> entered = new HashSet<>();
  private final TreeSize size;
  private final ProblemCollector collector;
  private @Nullable Path realRoot;
  private boolean tooLarge;

  private FileLister(TreeSize size, ProblemCollector collector) {
    this.size = size;
    this.collector = collector;
  }

  /** Lists a tree, noting what cannot be read. A tree that is too large is not listed at all. */
  static FileLister of(Path root, TreeLimits limits, ProblemCollector collector) {
    FileLister lister = new FileLister(new TreeSize(root, limits), collector);
    try {
      lister.realRoot = root.toRealPath();
    } catch (IOException e) {
      // entering it will tell why
    }
    try {
      lister.enter(root, 0);
    } catch (TreeSize.ExceededException e) {
      lister.tooLarge = true;
      lister.files.clear();
      lister.directories.clear();
      lister.unreadable.clear();
      lister.unreadable.add(root.toString());
      collector.tooLarge(Position.of(root.toString()), e.problem());
    }
    return lister;
  }

  /** Whether a limit was exceeded, so that nothing is known of the tree. */
  boolean isTooLarge() {
    return tooLarge;
  }

  /** Files by the name that the user would give them. */
  SortedMap<String, ListedFile> files() {
    return Collections.unmodifiableSortedMap(files);
  }

  /** Every directory that was entered; none if the tree is too large. */
  List<Path> directories() {
    return Collections.unmodifiableList(directories);
  }

  /** Directories of which nothing is known, by name. */
  List<String> unreadable() {
    return Collections.unmodifiableList(unreadable);
  }

  /** Whether a file of that name may exist although it is not listed. */
  boolean mayHide(String file) {
    return ScanResult.mayHide(unreadable, file);
  }

  private void enter(Path directory, int depth) throws TreeSize.ExceededException {
    List<Path> entries = new ArrayList<>();
    try {
      if (!entered.add(directory.toRealPath())) {
        return;
      }
      size.level(directory, depth);
      try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
        for (Path entry : stream) {
          Path name = entry.getFileName();
          if (name != null && !name.toString().startsWith(".")) {
            size.entry(entry);
            entries.add(entry);
          }
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      if (depth == 0 || !(e instanceof NoSuchFileException)) { // else removed while we looked
        unreadable.add(directory.toString());
        collector.undecodable(
            Position.of(directory.toString()), "directory cannot be read: " + FileReader.reason(e));
      }
      return;
    }
    directories.add(directory);
    Collections.sort(entries);
    for (Path entry : entries) {
      list(entry, depth);
    }
  }

  private void list(Path entry, int depth) throws TreeSize.ExceededException {
    boolean leadsOut = false;
    BasicFileAttributes found;
    try {
      found = Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (found.isSymbolicLink()) {
        leadsOut = realRoot == null || !entry.toRealPath().startsWith(realRoot);
        found = Files.readAttributes(entry, BasicFileAttributes.class);
      }
    } catch (IOException e) {
      if (isWanted(entry) && Files.exists(entry, LinkOption.NOFOLLOW_LINKS)) {
        files.put(entry.toString(), new ListedFile(entry, null)); // reading it will tell why
      }
      return;
    }
    if (found.isDirectory() && leadsOut) {
      unreadable.add(entry.toString());
      collector.undecodable(
          Position.of(entry.toString()),
          "the link leads to a directory outside of the tree; " + WHAT_TO_DO);
    } else if (found.isDirectory()) {
      enter(entry, depth + 1);
    } else if (isWanted(entry)) {
      size.file(entry, found.size());
      files.put(
          entry.toString(),
          new ListedFile(
              entry,
              leadsOut ? "the link leads to a file outside of the tree; " + WHAT_TO_DO : null));
    }
  }

  private static boolean isWanted(Path file) {
    String lower = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
    return lower.endsWith(".yaml") || lower.endsWith(".yml") || lower.endsWith(".json");
  }
}
