// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import dev.holdfast.config.AcceptedSpec;
import dev.holdfast.config.ObjectKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * What is taken down as accepted was accepted by a proxy of each class that had one to ask all the
 * time: of roots, whose marks can be seen where they are in force.
 */
final class Commits {
  private final Author author;
  private final Set<String> classes;
  private final Predicate<ObjectKey> isExcused;
  private final boolean withApps;
  private final Map<String, Set<String>> seen = new HashMap<>();
  private final Map<ObjectKey, Written> current = new TreeMap<>();

  /** Classes of which somebody was away, or did not answer, since all was at rest. */
  private final Set<String> unsteady = new HashSet<>();

  /** Those that were not steady when the first of all was accepted. */
  private final Set<String> strangers = new HashSet<>();

  private boolean any;

  /**
   * @param isExcused whether something that a root needs was missing of late
   * @param withApps whether there are applications, which mind nothing, and so may accept alone
   *     what no proxy would
   */
  Commits(Author author, Set<String> classes, Predicate<ObjectKey> isExcused, boolean withApps) {
    this.author = author;
    this.isExcused = isExcused;
    this.classes = classes;
    this.withApps = withApps;
    unsteady.addAll(classes);
  }

  /** A proxy may run something else than before. */
  void look(Member member, List<ObjectKey> roots) {
    Set<String> marks = seen.computeIfAbsent(member.taste.group, unused -> new HashSet<>());
    for (ObjectKey root : roots) {
      marks.add(member.mark(root));
    }
  }

  /** One that needs what is held may be accepted without any effect. */
  private boolean dependsOnFlaws(ObjectKey key) {
    return Closure.of(key, author).stream()
        .filter(part -> !part.equals(key))
        .anyMatch(part -> Closure.wasEverFlawed(part, author, classes));
  }

  /** A class that minds what all others were served while it was away has no say for now. */
  private void goesItsOwnWay(Written accepted) {
    Flaw flaw = accepted.sketch().flaw();
    for (String each : classes) {
      if ((withApps || flaw != Flaw.FOR_ALL) && flaw.matters(Set.of(each))) {
        unsteady.add(each);
      }
    }
  }

  void disturbed(Member member) {
    unsteady.add(member.taste.group);
  }

  /** Whether nothing is accepted without the class of a proxy. */
  boolean isSteady(Member member) {
    return !unsteady.contains(member.taste.group);
  }

  void crashed() {
    unsteady.addAll(classes);
  }

  void atRest() {
    unsteady.clear();
    current.keySet().retainAll(author.live().keySet());
    current.values().forEach(this::goesItsOwnWay);
  }

  /**
   * Whether a proxy's class was not there when the first of all was accepted, and minds something
   * that is: then nobody knows what it ran before, and what it refuses a part of it keeps as it is.
   */
  boolean isStranger(Member member) {
    String group = member.taste.group;
    return strangers.contains(group)
        && current.values().stream()
            .anyMatch(written -> written.sketch().flaw().matters(Set.of(group)));
  }

  void accepted(AcceptedSpec spec) {
    ObjectKey key = spec.object().key();
    if (!any) {
      any = true;
      strangers.addAll(unsteady);
    }
    Written written = author.get(key, spec.object().generation());
    if (written != null && written.sketch().flaw() == Flaw.INVALID) {
      return; // it serves nothing
    }
    if (written != null) {
      current.put(key, written);
      goesItsOwnWay(written);
    }
    if (!Names.isRoot(key) || written == null || isExcused.test(key) || dependsOnFlaws(key)) {
      return;
    }
    for (String each : classes) {
      if (!unsteady.contains(each)
          && !seen.getOrDefault(each, Set.of()).contains(written.sketch().mark())) {
        throw new Broken(written + " is taken for accepted, but nobody of class " + each + " did");
      }
    }
  }
}
