// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.controlplane.snapshot.Resource;
import java.util.Collection;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/** What a stream asked for of one type. */
final class Subscription {
  static final String WILDCARD = "*";

  private static final Change NOTHING =
      new Change(
          Collections.emptySortedSet(),
          Collections.emptySortedSet(),
          /* all= */ false,
          /* notAll= */ false);

  private boolean wildcard;
  private SortedSet<String> names = NameSets.none();

  /** Tells one set of names from another; kept up with each change. */
  private long fingerprint;

  /** Once a name was given, an empty list of names no longer means everything. */
  private boolean hadNames;

  boolean isWildcard() {
    return wildcard;
  }

  SortedSet<String> names() {
    return Collections.unmodifiableSortedSet(names);
  }

  /** Whether a resource is for this subscription. */
  boolean covers(Resource resource) {
    return names.contains(resource.name())
        || (wildcard && resource.audience() == Resource.Audience.ALL);
  }

  boolean named(String name) {
    return names.contains(name);
  }

  /** A list of everything that is wanted; the result is what is different. */
  Change replace(Collection<String> wanted, boolean emptyMayMeanAll) {
    SortedSet<String> target = new TreeSet<>(wanted);
    boolean all = target.remove(WILDCARD);
    if (target.isEmpty() && !all && emptyMayMeanAll && !hadNames) {
      all = true;
    }
    hadNames |= !wanted.isEmpty();
    SortedSet<String> added = new TreeSet<>(target);
    added.removeAll(names);
    SortedSet<String> dropped = new TreeSet<>(names);
    dropped.removeAll(target);
    return apply(added, dropped, all);
  }

  /** Names that are wanted as well, and names that no longer are. */
  Change change(
      Collection<String> subscribed, Collection<String> unsubscribed, boolean emptyMeansAll) {
    if (subscribed.isEmpty() && unsubscribed.isEmpty() && !emptyMeansAll) {
      return NOTHING; // an acknowledgement
    }
    SortedSet<String> added = new TreeSet<>(subscribed);
    SortedSet<String> dropped = new TreeSet<>(unsubscribed);
    boolean all = wildcard;
    if (added.remove(WILDCARD) || emptyMeansAll) {
      all = true;
    }
    if (dropped.remove(WILDCARD)) {
      all = false;
    }
    dropped.retainAll(names);
    return apply(added, dropped, all);
  }

  private Change apply(SortedSet<String> added, SortedSet<String> dropped, boolean all) {
    Change change = new Change(added, dropped, all && !wildcard, wildcard && !all);
    wildcard = all;
    for (String name : added) {
      fingerprint += names.contains(name) ? 0 : mix(name);
      names = NameSets.with(names, name);
    }
    for (String name : dropped) {
      fingerprint -= names.contains(name) ? mix(name) : 0;
      names = NameSets.without(names, name);
    }
    return change;
  }

  /** Equal for equal subscriptions, and for hardly any others. */
  long fingerprint() {
    return wildcard ? ~fingerprint : fingerprint;
  }

  private static long mix(String name) {
    long hash = name.hashCode() * 0x9E3779B97F4A7C15L + name.length();
    hash = (hash ^ (hash >>> 32)) * 0xD6E8FEB86659FD93L;
    return hash ^ (hash >>> 29);
  }

  /**
   * What became different.
   *
   * @param added names that are asked for, perhaps again
   * @param dropped names that no longer are
   * @param all whether everything is asked for from now on
   * @param notAll whether everything no longer is
   */
  record Change(SortedSet<String> added, SortedSet<String> dropped, boolean all, boolean notAll) {
    boolean isNothing() {
      return added.isEmpty() && dropped.isEmpty() && !all && !notAll;
    }
  }
}
