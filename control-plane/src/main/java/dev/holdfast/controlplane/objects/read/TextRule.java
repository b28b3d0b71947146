// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.read;

import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a string must be.
 *
 * @param pattern the rule as a regular expression for a schema; null if it cannot be said that way
 * @param expected the rule for people, following "expected:"
 */
public record TextRule(@Nullable String pattern, String expected, Predicate<String> accepts) {
  /** A rule that is a pattern. */
  public static TextRule matching(String pattern, String expected) {
    Predicate<String> matches = Pattern.compile(pattern).asMatchPredicate();
    return new TextRule("^(?:" + pattern + ")$", expected, matches);
  }

  /** The same rule with a limit to the length. */
  TextRule atMost(int length) {
    return new TextRule(pattern, expected, text -> text.length() <= length && accepts.test(text));
  }

  /** A rule that only code can tell. */
  public static TextRule checked(String expected, Predicate<String> accepts) {
    return new TextRule(null, expected, accepts);
  }
}
