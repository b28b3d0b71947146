// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import static dev.holdfast.controlplane.ads.stream.PendingNames.Mark.HALF_APPLIED;
import static dev.holdfast.controlplane.ads.stream.PendingNames.Mark.PENDING;
import static dev.holdfast.controlplane.ads.stream.PendingNames.Mark.REPORTED_MISSING;
import static dev.holdfast.controlplane.ads.stream.PendingNames.Mark.REQUESTED;
import static dev.holdfast.controlplane.ads.stream.PendingNames.Mark.UNCERTAIN;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The names of one type on one stream that need a decision, and why. The state of a name is a set
 * of marks; a name without marks is not stored. Each event sets some marks and clears others:
 *
 * <pre>
 *   event         | PENDING | REQUESTED | HALF_APPLIED | SUSPECT | UNCERTAIN | REPORTED_MISSING
 *   RECHECK       | set     |           |              |         |           |
 *   CHANGE        | set     |           |              |         |           | clear
 *   REQUEST       | set     | set       |              |         |           | clear
 *   RECOGNISE     |         | clear     |              |         |           |
 *   UP_TO_DATE    | clear   | clear     |              |         |           |
 *   SEND          | clear   | clear     | clear        | clear   | clear     |
 *   REPORT        | clear   | clear     |              | clear   |           | set
 *   BLAME         | set     |           | set          |         |           |
 *   SUSPECT       | set     |           |              | set     |           |
 *   TIMEOUT       |         |           |              |         | set       |
 *   LATE_ANSWER   |         |           |              |         | clear     |
 *   UNSUBSCRIBE   | clear   | clear     | clear        | clear   | clear     | clear
 * </pre>
 */
final class PendingNames {
  /** One aspect of a name. */
  enum Mark {
    /** The name needs a decision. */
    PENDING(1 << 0),

    /** The proxy requested the name: it is sent even if the proxy holds the right version. */
    REQUESTED(1 << 1),

    /** The proxy rejected the name last and may hold a mixture of the old and the new version. */
    HALF_APPLIED(1 << 2),

    /** One of several names that a NACK did not tell apart; each is sent alone, once. */
    SUSPECT(1 << 3),

    /** In a response that is overdue: the proxy may hold the old or the new version. */
    UNCERTAIN(1 << 4),

    /** The name does not exist, and the proxy has been told so. */
    REPORTED_MISSING(1 << 5);

    final int bit;

    Mark(int bit) {
      this.bit = bit;
    }
  }

  /** What happens to a name. */
  enum Event {
    /** The decision may have changed. */
    RECHECK(EnumSet.of(PENDING), Set.of()),
    /** The resource is another one, so an earlier report no longer holds. */
    CHANGE(EnumSet.of(PENDING), EnumSet.of(REPORTED_MISSING)),
    /** The proxy requested the name. */
    REQUEST(EnumSet.of(PENDING, REQUESTED), EnumSet.of(REPORTED_MISSING)),
    /** The proxy proved that it holds the requested version. */
    RECOGNISE(Set.of(), EnumSet.of(REQUESTED)),
    /** The decision is that the proxy needs nothing. */
    UP_TO_DATE(Set.of(), EnumSet.of(PENDING, REQUESTED)),
    /** A response with the name is sent. */
    SEND(Set.of(), EnumSet.of(PENDING, REQUESTED, HALF_APPLIED, Mark.SUSPECT, UNCERTAIN)),
    /** A response reports the name as missing; the proxy may still hold what it rejected. */
    REPORT(EnumSet.of(REPORTED_MISSING), EnumSet.of(PENDING, REQUESTED, Mark.SUSPECT)),
    /** The proxy rejected the name and may have applied a part of it. */
    BLAME(EnumSet.of(PENDING, HALF_APPLIED), Set.of()),
    /** The proxy rejected several names and did not say which. */
    SUSPECT(EnumSet.of(PENDING, Mark.SUSPECT), Set.of()),
    /** A response with the name is overdue. */
    TIMEOUT(EnumSet.of(UNCERTAIN), Set.of()),
    /** The proxy answered an overdue response. */
    LATE_ANSWER(Set.of(), EnumSet.of(UNCERTAIN)),
    /** The proxy is not subscribed to the name any more. */
    UNSUBSCRIBE(Set.of(), EnumSet.allOf(Mark.class));

    private final int set;
    private final int cleared;

    Event(Set<Mark> set, Set<Mark> cleared) {
      this.set = bits(set);
      this.cleared = bits(cleared);
    }

    private static int bits(Set<Mark> marks) {
      int bits = 0;
      for (Mark mark : marks) {
        bits |= mark.bit;
      }
      return bits;
    }

    int applyTo(int marks) {
      return (marks & ~cleared) | set;
    }
  }

  /** Bits of marks by name; never zero. Shared while it is empty. */
  private SortedMap<String, Integer> marks = Collections.emptySortedMap();

  /** How many names are pending. */
  private int pending;

  /** Whether all names of the type are pending, whichever they are. */
  private boolean all;

  /** Applies an event to a name; returns whether the name had been requested. */
  boolean apply(Event event, String name) {
    int before = marks.getOrDefault(name, 0);
    int after = event.applyTo(before);
    if (after != before) {
      put(name, after);
      pending += pending(after) - pending(before);
    }
    return (before & REQUESTED.bit) != 0;
  }

  private static int pending(int bits) {
    return (bits & PENDING.bit) == 0 ? 0 : 1;
  }

  void applyAll(Event event, Collection<String> names) {
    names.forEach(name -> apply(event, name));
  }

  private void put(String name, int bits) {
    if (bits == 0) {
      marks.remove(name);
      marks = marks.isEmpty() ? Collections.emptySortedMap() : marks;
    } else {
      marks = marks.isEmpty() ? new TreeMap<>() : marks;
      marks.put(name, bits);
    }
  }

  boolean has(Mark mark, String name) {
    return (marks.getOrDefault(name, 0) & mark.bit) != 0;
  }

  /** Whether the name is sent even if the proxy accepted the right version. */
  boolean mustSend(String name) {
    return (marks.getOrDefault(name, 0) & (REQUESTED.bit | HALF_APPLIED.bit | UNCERTAIN.bit)) != 0;
  }

  /** Makes all names of the type pending. */
  void addAll() {
    all = true;
  }

  boolean hasAll() {
    return all;
  }

  /** Goes on name by name; returns whether all names of the type were pending. */
  boolean clearAll() {
    boolean had = all;
    all = false;
    return had;
  }

  /** The pending names, in order; a copy. */
  List<String> names() {
    if (pending == marks.size()) {
      return List.copyOf(marks.keySet());
    }
    List<String> names = new ArrayList<>(pending);
    marks.forEach(
        (name, bits) -> {
          if ((bits & PENDING.bit) != 0) {
            names.add(name);
          }
        });
    return names;
  }

  boolean anyPending(Predicate<String> predicate) {
    if (pending > 0) {
      for (Map.Entry<String, Integer> entry : marks.entrySet()) {
        if ((entry.getValue() & PENDING.bit) != 0 && predicate.test(entry.getKey())) {
          return true;
        }
      }
    }
    return false;
  }

  /** How many names are pending, beside {@linkplain #hasAll() all} names of the type. */
  int count() {
    return pending;
  }

  boolean isEmpty() {
    return pending == 0 && !all;
  }
}
