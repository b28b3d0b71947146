// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import dev.holdfast.controlplane.snapshot.Resource;
import java.util.Collection;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/** The names of one type that a proxy subscribes to on a stream. */
public final class Subscription {
  static final String WILDCARD = "*";

  private static final Change NOTHING =
      new Change(
          Collections.emptySortedSet(),
          Collections.emptySortedSet(),
          /* all= */ false,
          /* notAll= */ false);

  private boolean wildcard;
  private SortedSet<String> names = NameSets.none();

  /** Identifies the set of names; updated with each change. */
  private long fingerprint;

  /** Once a request has named a resource, an empty list is no wildcard any more. */
  private boolean hadNames;

  public boolean isWildcard() {
    return wildcard;
  }

  public SortedSet<String> names() {
    return Collections.unmodifiableSortedSet(names);
  }

  /** How many names the proxy is subscribed to explicitly. */
  int size() {
    return names.size();
  }

  /** Whether the proxy is subscribed to a resource. */
  public boolean covers(Resource resource) {
    return names.contains(resource.name())
        || (wildcard && resource.audience() == Resource.Audience.ALL);
  }

  /** Whether the proxy is subscribed to a name explicitly. */
  boolean hasName(String name) {
    return names.contains(name);
  }

  /**
   * A SotW request: the complete list of names.
   *
   * @param emptyMayMeanAll whether an empty list may be a wildcard subscription
   */
  Change replace(Collection<String> requested, boolean emptyMayMeanAll) {
    SortedSet<String> target = new TreeSet<>(requested);
    boolean all = target.remove(WILDCARD);
    if (target.isEmpty() && !all && emptyMayMeanAll && !hadNames) {
      all = true;
    }
    hadNames |= !requested.isEmpty();
    SortedSet<String> added = new TreeSet<>(target);
    added.removeAll(names);
    SortedSet<String> dropped = new TreeSet<>(names);
    dropped.removeAll(target);
    return apply(added, dropped, all);
  }

  /**
   * A Delta request: names to add and names to remove.
   *
   * @param emptyMeansAll whether two empty lists are a wildcard subscription
   */
  Change change(
      Collection<String> subscribed, Collection<String> unsubscribed, boolean emptyMeansAll) {
    if (subscribed.isEmpty() && unsubscribed.isEmpty() && !emptyMeansAll) {
      return NOTHING; // an ACK or NACK
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

  /** Equal for equal subscriptions, and different for almost all others. */
  public long fingerprint() {
    return wildcard ? ~fingerprint : fingerprint;
  }

  private static long mix(String name) {
    long hash = name.hashCode() * 0x9E3779B97F4A7C15L + name.length();
    hash = (hash ^ (hash >>> 32)) * 0xD6E8FEB86659FD93L;
    return hash ^ (hash >>> 29);
  }

  /**
   * The effect of a request.
   *
   * @param added names that the proxy subscribed to, possibly again
   * @param dropped names that it unsubscribed from
   * @param all whether it added the wildcard
   * @param notAll whether it removed the wildcard
   */
  record Change(SortedSet<String> added, SortedSet<String> dropped, boolean all, boolean notAll) {
    boolean isNothing() {
      return added.isEmpty() && dropped.isEmpty() && !all && !notAll;
    }
  }
}
