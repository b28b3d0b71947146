// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.read;

import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A rule for strings.
 *
 * @param pattern the rule as a regular expression for a schema; null if it cannot be expressed as
 *     one
 * @param expected the rule in words, following "expected:"
 * @param explanation what is wrong with a string that the rule does not accept, following the rule
 *     in words; empty if there is no more to say
 */
public record TextRule(
    @Nullable String pattern,
    String expected,
    Predicate<String> accepts,
    Function<String, String> explanation) {
  /** A rule given by a pattern. */
  public static TextRule matching(String pattern, String expected) {
    Predicate<String> matches = Pattern.compile(pattern).asMatchPredicate();
    return new TextRule("^(?:" + pattern + ")$", expected, matches, text -> "");
  }

  /** The same rule with a maximum length. */
  TextRule atMost(int length) {
    return new TextRule(
        pattern, expected, text -> text.length() <= length && accepts.test(text), explanation);
  }

  /** A rule that only code can check. */
  public static TextRule checked(String expected, Predicate<String> accepts) {
    return new TextRule(null, expected, accepts, text -> "");
  }

  /** The same rule with an explanation of what is wrong with a string. */
  public TextRule explained(Function<String, String> by) {
    return new TextRule(pattern, expected, accepts, by);
  }

  /** The problem of a string that the rule does not accept. */
  public String problem(String text) {
    String more = explanation.apply(text);
    return ValueTypes.quote(text)
        + " (expected: "
        + expected
        + (more.isEmpty() ? "" : "; " + more)
        + ")";
  }
}
