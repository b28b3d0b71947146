// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import dev.holdfast.base.Problem;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Digest;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Position;
import dev.holdfast.config.SourceNote;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a set of files holds, as far as can be known. A function of what was held before and of what
 * a scan found:
 *
 * <ul>
 *   <li>A file that was read holds what it says.
 *   <li>A file that is broken, blank or out of sight holds what it held.
 *   <li>A file with a document that is not understood holds what it says, and beyond that what it
 *       held: the document may be any of these objects.
 *   <li>Of one object in several files, that of the file that had it before counts, as long as it
 *       holds it; the others are problems. See {@link Incumbents}.
 *   <li>An object in a file that may not hold it is a problem, and not there. If it was there
 *       before it may not be, it stays as it was, unless a file that may hold it has it.
 * </ul>
 *
 * @param files what each file holds
 * @param objects what counts
 * @param problems everything that is wrong, by file
 * @param notes what is to be said of single objects
 * @param complete whether everything was read and understood
 */
record FileTree(
    SortedMap<String, List<ConfigObject>> files,
    SortedMap<ObjectKey, ConfigObject> objects,
    List<LocatedProblem> problems,
    SortedMap<ObjectKey, SourceNote> notes,
    boolean complete) {
  static final FileTree EMPTY =
      new FileTree(
          Collections.emptySortedMap(),
          Collections.emptySortedMap(),
          List.of(),
          Collections.emptySortedMap(),
          /* complete= */ true);

  FileTree {
    files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
    objects = Collections.unmodifiableSortedMap(new TreeMap<>(objects));
    problems = List.copyOf(problems);
    notes = Collections.unmodifiableSortedMap(new TreeMap<>(notes));
  }

  /** The tree after a scan, if nothing is known of earlier ones. */
  FileTree after(ScanResult scan) {
    return after(scan, keys -> Map.of());
  }

  /**
   * The tree after a scan.
   *
   * @param known the digests of the bodies that objects are known to have had
   */
  FileTree after(ScanResult scan, Function<Set<ObjectKey>, Map<ObjectKey, String>> known) {
    return after(scan, known, (file, key) -> null);
  }

  /**
   * The tree after a scan.
   *
   * @param known the digests of the bodies that objects are known to have had
   * @param placement why an object may not stand in a file of that name; null if it may
   */
  FileTree after(
      ScanResult scan,
      Function<Set<ObjectKey>, Map<ObjectKey, String>> known,
      BiFunction<String, ObjectKey, @Nullable String> placement) {
    Building next = new Building(new Incumbents(objects, known), placement);
    next.problems.addAll(scan.problems());
    next.complete = scan.unreadable().isEmpty() && scan.allRead();
    scan.files()
        .forEach(
            (name, reading) -> {
              List<ConfigObject> before = files.getOrDefault(name, List.of());
              next.problems.addAll(reading.problems());
              switch (reading.state()) {
                case COMPLETE -> next.says(name, reading.objects());
                case PARTLY -> {
                  next.complete = false;
                  next.says(name, reading.objects());
                  next.held(name, before, reading.problems());
                }
                case BROKEN -> {
                  next.complete = false;
                  next.held(name, before, reading.problems());
                }
                case BLANK -> {
                  next.held(name, before, List.of(emptied(name)));
                  if (!before.isEmpty()) {
                    next.problems.add(emptied(name));
                  }
                }
              }
            });
    files.forEach(
        (name, before) -> {
          if (!scan.files().containsKey(name) && scan.mayHide(name)) {
            next.held(name, before, scan.problems());
          }
        });
    return next.build();
  }

  private static LocatedProblem emptied(String file) {
    return new LocatedProblem(
        new Problem(
            "",
            Problem.Kind.INVALID,
            "the file is empty; its objects stay in force (to remove them, delete the file or leave"
                + " only a comment in it)"),
        Position.of(file));
  }

  /** The next tree while it grows; files come in order of their names. */
  private static final class Building {
    final Incumbents incumbents;
    final BiFunction<String, ObjectKey, @Nullable String> placement;
    final SortedMap<ObjectKey, List<Misplaced>> misplaced = new TreeMap<>();
    final List<LocatedProblem> problems = new ArrayList<>();
    final SortedMap<String, List<ConfigObject>> files = new TreeMap<>();
    final SortedMap<ObjectKey, List<ConfigObject>> said = new TreeMap<>();
    final SortedMap<ObjectKey, List<ConfigObject>> held = new TreeMap<>();
    final Map<String, List<LocatedProblem>> reasons = new HashMap<>();
    boolean complete;

    Building(Incumbents incumbents, BiFunction<String, ObjectKey, @Nullable String> placement) {
      this.incumbents = incumbents;
      this.placement = placement;
    }

    private record Misplaced(ConfigObject object, LocatedProblem problem) {}

    void says(String file, List<ConfigObject> objects) {
      files.put(file, new ArrayList<>());
      for (ConfigObject object : objects) {
        String problem = placement.apply(file, object.key());
        if (problem == null) {
          said.computeIfAbsent(object.key(), unused -> new ArrayList<>()).add(object);
        } else {
          LocatedProblem located = misplaced(object, problem);
          problems.add(located);
          misplaced
              .computeIfAbsent(object.key(), unused -> new ArrayList<>())
              .add(new Misplaced(object, located));
        }
      }
    }

    /**
     * Keeps what was there before it was misplaced, as it was. What no file may hold and nobody
     * knows is not there; what is known and was edited since, before a restart, is somewhere: the
     * tree is not complete.
     */
    private void keepMisplaced(SortedMap<ObjectKey, SourceNote> notes) {
      SortedMap<ObjectKey, List<Misplaced>> alone = new TreeMap<>(misplaced);
      alone.keySet().removeAll(said.keySet());
      Map<ObjectKey, String> digests =
          alone.isEmpty() ? Map.of() : incumbents.known().apply(alone.keySet());
      alone.forEach(
          (key, places) -> {
            String digest = digests.get(key);
            ConfigObject before = incumbents.before().get(key);
            Misplaced same =
                places.stream()
                    .filter(place -> Digest.of(place.object().body()).equals(digest))
                    .findFirst()
                    .orElse(null);
            boolean isThere =
                before != null
                    && places.stream()
                        .anyMatch(
                            place ->
                                Incumbents.file(place.object()).equals(Incumbents.file(before)));
            if (before == null ? same == null : !isThere) {
              complete &= digest == null;
              return;
            }
            if (same != null) {
              said.put(key, new ArrayList<>(List.of(same.object())));
            } else if (before != null) {
              held.computeIfAbsent(key, unused -> new ArrayList<>()).add(before);
            }
            notes.put(
                key,
                new SourceNote(
                    SourceNote.MISPLACED,
                    "the object stays as it was before: " + places.get(0).problem()));
          });
    }

    void held(String file, List<ConfigObject> before, List<LocatedProblem> why) {
      files.computeIfAbsent(file, unused -> new ArrayList<>());
      reasons.put(file, why);
      for (ConfigObject object : before) {
        boolean isSaid =
            said.getOrDefault(object.key(), List.of()).stream()
                .anyMatch(other -> Incumbents.file(other).equals(file));
        if (!isSaid) {
          held.computeIfAbsent(object.key(), unused -> new ArrayList<>()).add(object);
        }
      }
    }

    FileTree build() {
      SortedMap<ObjectKey, SourceNote> notes = new TreeMap<>();
      keepMisplaced(notes);
      SortedMap<ObjectKey, ConfigObject> objects = incumbents.choose(said, held);
      objects.forEach(
          (key, object) -> {
            files.computeIfAbsent(Incumbents.file(object), unused -> new ArrayList<>()).add(object);
            List<ConfigObject> saying = said.getOrDefault(key, List.of());
            boolean isHeld = held.getOrDefault(key, List.of()).contains(object);
            for (ConfigObject other : saying) {
              if (!other.equals(object)) {
                LocatedProblem problem = duplicate(other, object);
                problems.add(problem);
                notes.putIfAbsent(key, new SourceNote(SourceNote.DUPLICATE, problem.toString()));
              }
            }
            if (isHeld && !misplaced.containsKey(key)) {
              notes.put(key, unreadable(reasons.getOrDefault(Incumbents.file(object), List.of())));
            }
          });
      files
          .values()
          .forEach(list -> list.sort(Comparator.comparing(object -> object.body().position())));
      problems.sort(Comparator.comparing(LocatedProblem::position));
      return new FileTree(files, objects, problems, notes, complete);
    }
  }

  private static LocatedProblem misplaced(ConfigObject object, String why) {
    return new LocatedProblem(
        new Problem("metadata.namespace", Problem.Kind.UNSUPPORTED, object.key() + ": " + why),
        object.body().position());
  }

  private static SourceNote unreadable(List<LocatedProblem> why) {
    String first = why.isEmpty() ? "its file cannot be read" : why.get(0).toString();
    String more = why.size() > 1 ? " (and " + (why.size() - 1) + " more problems)" : "";
    return new SourceNote(
        SourceNote.UNREADABLE, "the object stays as it was before: " + first + more);
  }

  private static LocatedProblem duplicate(ConfigObject object, ConfigObject first) {
    return new LocatedProblem(
        new Problem(
            "metadata.name",
            Problem.Kind.INVALID,
            object.key()
                + " is defined twice (expected: once; the one in use is at "
                + first.body().position()
                + ")"),
        object.body().position());
  }
}
