// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.base;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Finds the name that an author probably meant. */
public final class NearestName {
  private static final int MOST_EDITS = 3;

  /** Longer names are not compared: the time grows with the square of the length. */
  public static final int LONGEST = 200;

  private NearestName() {}

  /**
   * The candidate that differs only in case, or else by one edit for every three letters, and at
   * most three; the first of several that are as close; null if none is.
   */
  public static @Nullable String of(String name, Collection<String> candidates) {
    for (String candidate : candidates) {
      if (candidate.equalsIgnoreCase(name)) {
        return candidate;
      }
    }
    return within(name, candidates, Math.min(MOST_EDITS, name.length() / 3));
  }

  /** The candidate that is nearest, and at most that many edits away; null if none is. */
  public static @Nullable String within(String name, Collection<String> candidates, int edits) {
    if (name.length() > LONGEST) {
      return null;
    }
    String best = null;
    int bestDistance = edits + 1;
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
