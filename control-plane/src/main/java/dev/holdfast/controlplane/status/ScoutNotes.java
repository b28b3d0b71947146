// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.status;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.controlplane.objects.references.FieldPositions;
import dev.holdfast.controlplane.rollout.fleet.ScoutProbe;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What requests through scouts found in an object without holding it: warnings for its author, and
 * routes that were not asked. A value.
 *
 * @param byScout what each scout found, by its node id without the number of the process; one that
 *     has found nothing is left out
 */
record ScoutNotes(SortedMap<String, OfScout> byScout) {
  static final ScoutNotes NONE = new ScoutNotes(Collections.emptySortedMap());

  private static final int MOST_SCOUTS = 16;
  private static final int MOST = 32;

  /** Notes that an earlier process took: of any scout, until one is asked again. */
  private static final String RESTORED = "";

  /**
   * What one scout found.
   *
   * @param generation of the object
   */
  record OfScout(long generation, List<String> warnings, List<String> notProbed) {
    OfScout {
      warnings = List.copyOf(warnings);
      notProbed = List.copyOf(notProbed);
    }
  }

  ScoutNotes {
    byScout = Collections.unmodifiableSortedMap(new TreeMap<>(byScout));
  }

  /** Notes that were shown before a restart. */
  static ScoutNotes restored(long generation, List<String> warnings) {
    return warnings.isEmpty()
        ? NONE
        : new ScoutNotes(
            new TreeMap<>(Map.of(RESTORED, new OfScout(generation, warnings, List.of()))));
  }

  /** These are now the findings of a scout, also of other objects. */
  ScoutNotes with(String scout, ConfigObject object, List<ScoutProbe.Finding> findings) {
    Set<String> warnings = new LinkedHashSet<>();
    Set<String> notProbed = new LinkedHashSet<>();
    for (ScoutProbe.Finding finding : findings) {
      if (finding.object().equals(object.key())) {
        String text = text(object, finding);
        switch (finding.weight()) {
          case HOLDS -> {} // the condition Programmed says it
          case WARNS -> add(text, warnings);
          case NOT_PROBED -> add(text, notProbed);
        }
      }
    }
    SortedMap<String, OfScout> next = new TreeMap<>(byScout);
    next.remove(RESTORED);
    String name = name(scout);
    if (warnings.isEmpty() && notProbed.isEmpty()) {
      next.remove(name);
    } else if (next.containsKey(name) || next.size() < MOST_SCOUTS) {
      next.put(
          name, new OfScout(object.generation(), List.copyOf(warnings), List.copyOf(notProbed)));
    }
    return new ScoutNotes(next);
  }

  private static void add(String text, Set<String> texts) {
    if (texts.size() < MOST) {
      texts.add(text);
    }
  }

  private static String text(ConfigObject object, ScoutProbe.Finding finding) {
    String message = ErrorText.sanitise(finding.message());
    return finding.field().isEmpty()
        ? object.body().position() + ": scout: " + message
        : FieldPositions.ofName(object.body(), finding.field())
            + ": "
            + finding.field()
            + ": scout: "
            + message;
  }

  /** A process that connects before its predecessor is gone has a number behind the node id. */
  private static String name(String scout) {
    int number = scout.indexOf('#');
    return number < 0 ? scout : scout.substring(0, number);
  }

  /** Warnings about the newest generation, or about the one that is in force; each once. */
  List<String> warnings(long newest, long served) {
    return texts(newest, served, OfScout::warnings);
  }

  /** Routes that were not asked, and why; each once. */
  List<String> notProbed(long newest, long served) {
    return texts(newest, served, OfScout::notProbed);
  }

  private List<String> texts(long newest, long served, Function<OfScout, List<String>> texts) {
    Set<String> all = new LinkedHashSet<>();
    for (OfScout notes : byScout.values()) {
      if (notes.generation() == newest || notes.generation() == served) {
        all.addAll(texts.apply(notes));
      }
    }
    return new ArrayList<>(all);
  }
}
