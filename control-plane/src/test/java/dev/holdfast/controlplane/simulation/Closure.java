// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** All that decides what becomes of an object: what it refers to, and the policies for it. */
final class Closure {
  private Closure() {}

  /** Of what is there now. Names that nobody has written yet are in it, too. */
  static SortedSet<ObjectKey> of(ObjectKey key, Author author) {
    SortedSet<ObjectKey> found = new TreeSet<>();
    Deque<ObjectKey> open = new ArrayDeque<>(Set.of(key));
    while (!open.isEmpty()) {
      ObjectKey next = open.remove();
      if (!found.add(next)) {
        continue;
      }
      Written written = author.get(next);
      if (written != null) {
        open.addAll(written.sketch().refs());
      }
      open.addAll(policies(next, author));
    }
    return found;
  }

  private static Set<ObjectKey> policies(ObjectKey target, Author author) {
    Set<ObjectKey> found = new TreeSet<>();
    author
        .live()
        .forEach(
            (key, written) -> {
              if (Names.isPolicy(key) && written.sketch().refs().contains(target)) {
                found.add(key);
              }
            });
    return found;
  }

  /** Whether everything in it is there, and good for all of some classes. */
  static boolean isClean(ObjectKey key, Author author, Set<String> classes) {
    return of(key, author).stream().allMatch(part -> isGood(part, author, classes));
  }

  /** Whether an object is there, and good for all of some classes by itself. */
  static boolean isGood(ObjectKey key, Author author, Set<String> classes) {
    Written written = author.get(key);
    return written != null && !written.sketch().flaw().matters(classes);
  }

  /**
   * Whether an object, or anything it may ever have had to do with, has had a flaw: then it may
   * have been refused with good reason.
   */
  static boolean wasEverFlawed(ObjectKey key, Author author, Set<String> classes) {
    SortedSet<ObjectKey> found = new TreeSet<>();
    Deque<ObjectKey> open = new ArrayDeque<>(Set.of(key));
    while (!open.isEmpty()) {
      ObjectKey next = open.remove();
      if (!found.add(next)) {
        continue;
      }
      for (Written written : author.past(next)) {
        if (written.sketch().flaw().matters(classes)) {
          return true;
        }
        open.addAll(written.sketch().refs());
      }
      everReferredTo(next, author).stream().filter(Names::isPolicy).forEach(open::add);
    }
    return false;
  }

  /**
   * Whether something that ever referred to an object, or anything else that this needs, has had a
   * flaw, which it may have set off.
   */
  static boolean mayHaveSetOffAFlaw(ObjectKey key, Author author, Set<String> classes) {
    return everReferredTo(key, author).stream()
        .anyMatch(other -> wasEverFlawed(other, author, classes));
  }

  /**
   * Whether all of it is there and good, but a part is what some flaw waited for: one that was
   * accepted because it had no effect without that part. Who comes last is held.
   *
   * @param accepted what is stored as accepted
   */
  static boolean setsOffAFlaw(
      ObjectKey key, Author author, Set<String> classes, Collection<ConfigObject> accepted) {
    SortedSet<ObjectKey> parts = of(key, author);
    for (ConfigObject object : accepted) {
      Written written = author.get(object.key(), object.generation());
      if (written != null
          && !parts.contains(object.key())
          && written.sketch().flaw().matters(classes)
          && !Collections.disjoint(written.sketch().refs(), parts)) {
        return true;
      }
    }
    return false;
  }

  private static Set<ObjectKey> everReferredTo(ObjectKey target, Author author) {
    Set<ObjectKey> found = new TreeSet<>();
    for (ObjectKey key : author.names()) {
      if (author.past(key).stream().anyMatch(old -> old.sketch().refs().contains(target))) {
        found.add(key);
      }
    }
    return found;
  }
}
