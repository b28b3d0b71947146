// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.read;

import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A rule for strings.
 *
 * @param pattern the rule as a regular expression for a schema; null if it cannot be expressed as
 *     one
 * @param expected the rule in words, following "expected:"
 */
public record TextRule(@Nullable String pattern, String expected, Predicate<String> accepts) {
  /** A rule given by a pattern. */
  public static TextRule matching(String pattern, String expected) {
    Predicate<String> matches = Pattern.compile(pattern).asMatchPredicate();
    return new TextRule("^(?:" + pattern + ")$", expected, matches);
  }

  /** The same rule with a maximum length. */
  TextRule atMost(int length) {
    return new TextRule(pattern, expected, text -> text.length() <= length && accepts.test(text));
  }

  /** A rule that only code can check. */
  public static TextRule checked(String expected, Predicate<String> accepts) {
    return new TextRule(null, expected, accepts);
  }
}
