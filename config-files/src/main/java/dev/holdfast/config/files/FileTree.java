// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import dev.holdfast.base.Problem;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Position;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a set of files holds, as far as can be known. A pure function of what was held before and of
 * what a scan found:
 *
 * <ul>
 *   <li>A file that was read holds what it says.
 *   <li>A file that is broken, blank or out of sight holds what it held.
 *   <li>A file with a document that is not understood holds what it says, and beyond that what it
 *       held: the document may be any of these objects.
 *   <li>Of one object in two places the first counts, by name of file and place in it, and the
 *       other is a problem. What a file says now goes before what another only held.
 * </ul>
 *
 * @param files what each file holds
 * @param objects what counts
 * @param problems everything that is wrong, by file
 */
record FileTree(
    SortedMap<String, List<ConfigObject>> files,
    SortedMap<ObjectKey, ConfigObject> objects,
    List<LocatedProblem> problems) {
  static final FileTree EMPTY =
      new FileTree(Collections.emptySortedMap(), Collections.emptySortedMap(), List.of());

  FileTree {
    files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
    objects = Collections.unmodifiableSortedMap(new TreeMap<>(objects));
    problems = List.copyOf(problems);
  }

  /** The tree after a scan. */
  FileTree after(ScanResult scan) {
    Building next = new Building();
    next.problems.addAll(scan.problems());
    scan.files()
        .forEach(
            (name, reading) -> {
              List<ConfigObject> before = files.getOrDefault(name, List.of());
              next.problems.addAll(reading.problems());
              switch (reading.state()) {
                case COMPLETE -> next.says(name, reading.objects());
                case PARTLY -> {
                  next.says(name, reading.objects());
                  next.held(name, before);
                }
                case BROKEN -> next.held(name, before);
                case BLANK -> {
                  next.held(name, before);
                  if (!before.isEmpty()) {
                    next.problems.add(emptied(name));
                  }
                }
              }
            });
    files.forEach(
        (name, before) -> {
          if (!scan.files().containsKey(name) && scan.mayHide(name)) {
            next.held(name, before);
          }
        });
    return next.build();
  }

  private static LocatedProblem emptied(String file) {
    return new LocatedProblem(
        new Problem(
            "",
            Problem.Kind.INVALID,
            "file is empty and its objects stay (expected: objects; delete the file, or leave a"
                + " comment in it, to remove them)"),
        Position.of(file));
  }

  /** The next tree while it grows; files come in order of their names. */
  private static final class Building {
    final List<LocatedProblem> problems = new ArrayList<>();
    final SortedMap<String, List<ConfigObject>> files = new TreeMap<>();
    final SortedMap<ObjectKey, ConfigObject> objects = new TreeMap<>();
    final Map<String, List<ConfigObject>> held = new TreeMap<>();

    void says(String file, List<ConfigObject> said) {
      List<ConfigObject> kept = new ArrayList<>();
      for (ConfigObject object : said) {
        ConfigObject first = objects.putIfAbsent(object.key(), object);
        if (first == null) {
          kept.add(object);
        } else {
          problems.add(duplicate(object, first));
        }
      }
      files.put(file, kept);
    }

    void held(String file, List<ConfigObject> before) {
      held.put(file, before);
    }

    FileTree build() {
      held.forEach(
          (file, before) -> {
            List<ConfigObject> kept = new ArrayList<>(files.getOrDefault(file, List.of()));
            for (ConfigObject object : before) {
              if (objects.putIfAbsent(object.key(), object) == null) {
                kept.add(object);
              }
            }
            files.put(file, kept);
          });
      problems.sort(Comparator.comparing(LocatedProblem::position));
      return new FileTree(files, objects, problems);
    }
  }

  private static LocatedProblem duplicate(ConfigObject object, ConfigObject first) {
    return new LocatedProblem(
        new Problem(
            "metadata.name",
            Problem.Kind.INVALID,
            object.key()
                + " is written twice (expected: once; the one that counts is at "
                + first.body().position()
                + ")"),
        object.body().position());
  }
}
