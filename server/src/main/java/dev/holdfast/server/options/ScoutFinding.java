// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import static java.util.stream.Collectors.joining;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;

/** What may be wrong with something that a scout has accepted. */
public enum ScoutFinding {
  /** A request fails. */
  FAILED("failed"),
  /** A listener or cluster waits for something that does not come. */
  NOT_IN_USE("not-in-use"),
  /** Requests for a route are answered by something else. */
  SHADOWED("shadowed");

  /** Those that hold an object if nobody says otherwise. */
  public static final Set<ScoutFinding> DEFAULT =
      Collections.unmodifiableSet(EnumSet.of(FAILED, NOT_IN_USE));

  private static final String NONE = "none";

  private final String word;

  ScoutFinding(String word) {
    this.word = word;
  }

  /**
   * Those that are listed, separated by commas.
   *
   * @throws IllegalArgumentException if one is not known
   */
  public static Set<ScoutFinding> parse(String text) {
    Set<ScoutFinding> found = EnumSet.noneOf(ScoutFinding.class);
    if (!text.strip().equals(NONE)) {
      for (String word : text.split(",", -1)) {
        found.add(of(word.strip()));
      }
    }
    return found;
  }

  private static ScoutFinding of(String word) {
    return Stream.of(values())
        .filter(finding -> finding.word.equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "\""
                        + word
                        + "\" (expected: a list of "
                        + Stream.of(values()).map(finding -> finding.word).collect(joining(", "))
                        + ", or "
                        + NONE
                        + ")"));
  }
}
