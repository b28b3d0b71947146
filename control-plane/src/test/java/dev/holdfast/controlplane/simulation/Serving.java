// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import dev.holdfast.config.ObjectKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * What a proxy served it goes on serving, until its authors take it away.
 *
 * <p>Which generation of an object is in force is not asked: as long as all that any of them refers
 * to is there, there must be an answer. Once something of it was taken away, nothing is said of
 * that host until everything has come to rest.
 */
final class Serving {
  private final Author author;
  private final Predicate<ObjectKey> isAccepted;
  private final Predicate<Member> hasASay;
  private final Map<Member, SortedSet<ObjectKey>> served = new HashMap<>();

  /** All that any generation of a root that may be in force has to do with. */
  private final SortedMap<ObjectKey, SortedSet<ObjectKey>> reach = new TreeMap<>();

  private final Set<ObjectKey> excused = new TreeSet<>();

  /** What a control plane did not find when it started, among other objects. */
  private final Set<ObjectKey> notFound = new TreeSet<>();

  /** Those that may run what no server knows any more. */
  private final Set<Member> unknown = new HashSet<>();

  /**
   * @param isAccepted whether some generation of an object is: before that, it is on trial
   * @param hasASay whether nothing is accepted without the class of a proxy: what is, is on trial
   *     for that class until all comes to rest
   */
  Serving(Author author, Predicate<ObjectKey> isAccepted, Predicate<Member> hasASay) {
    this.hasASay = hasASay;
    this.author = author;
    this.isAccepted = isAccepted;
  }

  /** Objects were written or deleted. */
  void edited() {
    for (ObjectKey root : author.roots()) {
      reach.computeIfAbsent(root, unused -> new TreeSet<>()).addAll(Closure.of(root, author));
    }
    reach.forEach(
        (root, parts) -> {
          if (parts.stream().anyMatch(this::isTakenAway)) {
            excused.add(root);
          }
        });
    served.values().forEach(roots -> roots.removeAll(excused));
  }

  /**
   * A control plane starts, and finds some objects, but not these. If they are few, it has to take
   * them for deleted; and what an earlier one knew of it may not have been durable.
   */
  void notFound(Set<ObjectKey> keys) {
    notFound.addAll(keys);
    edited();
  }

  /** A Service without addresses is nobody's mistake but that of who lets a host go there. */
  private boolean isTakenAway(ObjectKey part) {
    return notFound.contains(part)
        || (part.kind().equals("EndpointSlice")
            ? !author.hasContent(part)
            : author.get(part) == null && !Names.isPolicy(part));
  }

  /** A proxy may serve something else than before. */
  void look(Member member) {
    SortedSet<ObjectKey> before = served.computeIfAbsent(member, unused -> new TreeSet<>());
    for (ObjectKey root : author.roots()) {
      if (excused.contains(root)) {
        continue;
      }
      if (member.serves(root)) {
        if (!unknown.contains(member)
            && isPastTrial(root)
            && hasASay.test(member)
            && member.mark(root).startsWith(root.name() + "/")) {
          before.add(root); // and it is not an earlier owner of the host that is served
        }
        if (before.contains(root) && !member.mark(root).startsWith(root.name() + "/")) {
          throw new Broken(
              member + " serves " + member.mark(root) + " on the host of " + author.get(root));
        }
      } else if (before.contains(root)) {
        throw new Broken(
            member + " no longer serves " + author.get(root) + ": " + member.answer(root));
      }
    }
  }

  /** Whether a root is accepted, and all that it cannot be served without. */
  private boolean isPastTrial(ObjectKey root) {
    return Closure.of(root, author).stream()
        .filter(part -> !Names.isPolicy(part) && !part.kind().equals("EndpointSlice"))
        .allMatch(isAccepted);
  }

  void restarted(Member member) {
    served.remove(member);
  }

  /**
   * In SotW, a proxy says what it runs by a version that means nothing to another server: clusters
   * that are wanted no longer go away before the routes that still refer to them.
   */
  void serverDied(Member member) {
    if (!member.isDelta()) {
      served.remove(member);
      unknown.add(member);
    }
  }

  /**
   * All is as it will be: what is there now is what counts from now on, where everybody runs it.
   *
   * @param classes those who mind something among the proxies that are looked at: who refuses the
   *     newest generation serves an earlier one, with all that this refers to
   */
  void atRest(Set<String> classes) {
    reach.keySet().retainAll(author.roots());
    for (ObjectKey root : author.roots()) {
      SortedSet<ObjectKey> now = Closure.of(root, author);
      if (Closure.isClean(root, author, classes)) {
        reach.put(root, now);
      }
    }
    excused.clear();
    notFound.clear();
    unknown.clear();
    edited();
  }

  /** Whether something that a root needs was taken away since all was at rest. */
  boolean isExcused(ObjectKey root) {
    return excused.contains(root);
  }
}
