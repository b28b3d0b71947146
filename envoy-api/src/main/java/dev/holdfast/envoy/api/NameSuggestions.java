// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import java.util.Collection;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/** What somebody may have meant who wrote a name that does not exist. */
final class NameSuggestions {
  private static final int MOST_EDITS = 3;
  private static final int LONGEST = 200;

  private NameSuggestions() {}

  /**
   * Among full names of messages: first one of the same package that is spelled almost like it,
   * then one with the same last part and the most in common, as when the package was moved.
   */
  static @Nullable String nearest(String name, NavigableSet<String> names) {
    if (name.length() > LONGEST) {
      return null;
    }
    String home = name.substring(0, name.lastIndexOf('.') + 1);
    String sibling =
        closest(name, names.subSet(home, /* fromInclusive= */ true, home + '\uffff', true));
    if (sibling != null) {
      return sibling;
    }
    String last = name.substring(home.length());
    String best = null;
    int bestDistance = Integer.MAX_VALUE;
    for (String candidate : names) {
      if (candidate.endsWith("." + last)) {
        int distance = distance(name, candidate, LONGEST);
        if (distance < bestDistance) {
          best = candidate;
          bestDistance = distance;
        }
      }
    }
    return best;
  }

  /** The candidate that is at most a few edits away; the first of several that are as close. */
  static @Nullable String closest(String name, Collection<String> candidates) {
    if (name.length() > LONGEST) {
      return null;
    }
    String best = null;
    int bestDistance = Math.min(MOST_EDITS, Math.max(1, name.length() / 3)) + 1;
    for (String candidate : candidates) {
      int distance = distance(name, candidate, bestDistance);
      if (distance < bestDistance) {
        best = candidate;
        bestDistance = distance;
      }
    }
    return best;
  }

  /** How many letters must be added, removed or replaced; at most the bound. */
  private static int distance(String a, String b, int bound) {
    if (Math.abs(a.length() - b.length()) >= bound) {
      return bound;
    }
    int[] previous = new int[b.length() + 1];
    int[] current = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      current[0] = i;
      int least = i;
      for (int j = 1; j <= b.length(); j++) {
        int replace = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(replace, Math.min(previous[j], current[j - 1]) + 1);
        least = Math.min(least, current[j]);
      }
      if (least >= bound) {
        return bound;
      }
      int[] done = previous;
      previous = current;
      current = done;
    }
    return Math.min(previous[b.length()], bound);
  }
}
