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
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The files of a tree that may hold objects. Links are followed; a directory that several names
 * lead to is entered under the first of them, so that a loop ends. What begins with a dot is left
 * out: editors put half-written files there, and Kubernetes its versions of a mounted volume.
 */
final class FileLister {
  private final SortedMap<String, Path> files = new TreeMap<>();
  private final List<Path> directories = new ArrayList<>();
  private final List<String> unreadable = new ArrayList<>();
  private final Set<Path> entered = new HashSet<>();
  private final ProblemCollector findings;

  private FileLister(ProblemCollector findings) {
    this.findings = findings;
  }

  /** Lists a tree, noting what cannot be read. */
  static FileLister of(Path root, ProblemCollector findings) {
    FileLister listing = new FileLister(findings);
    listing.enter(root, /* isRoot= */ true);
    return listing;
  }

  /** Files by the name that the user would give them. */
  SortedMap<String, Path> files() {
    return Collections.unmodifiableSortedMap(files);
  }

  /** Every directory that was entered. */
  List<Path> directories() {
    return Collections.unmodifiableList(directories);
  }

  /** Directories of which nothing is known, by name. */
  List<String> unreadable() {
    return Collections.unmodifiableList(unreadable);
  }

  private void enter(Path directory, boolean isRoot) {
    List<Path> entries = new ArrayList<>();
    try {
      if (!entered.add(directory.toRealPath())) {
        return;
      }
      try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
        stream.forEach(entries::add);
      }
    } catch (IOException | DirectoryIteratorException e) {
      if (isRoot || !(e instanceof NoSuchFileException)) { // else removed while we looked
        unreadable.add(directory.toString());
        findings.undecodable(
            Position.of(directory.toString()), "directory cannot be read: " + FileReader.reason(e));
      }
      return;
    }
    directories.add(directory);
    Collections.sort(entries);
    for (Path entry : entries) {
      Path name = entry.getFileName();
      if (name == null || name.toString().startsWith(".")) {
        continue;
      }
      if (Files.isDirectory(entry)) {
        enter(entry, /* isRoot= */ false);
      } else if (isWanted(name.toString()) && Files.exists(entry, LinkOption.NOFOLLOW_LINKS)) {
        files.put(entry.toString(), entry);
      }
    }
  }

  private static boolean isWanted(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.endsWith(".yaml") || lower.endsWith(".yml") || lower.endsWith(".json");
  }
}
