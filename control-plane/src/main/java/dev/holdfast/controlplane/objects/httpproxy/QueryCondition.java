// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.httpproxy;

import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.TextRule;
import dev.holdfast.controlplane.objects.read.TextRules;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A condition on a query parameter.
 *
 * @param value empty for {@link Match#PRESENT}
 */
public record QueryCondition(String name, Match match, String value, boolean ignoreCase) {

  /** Envoy's limit, in bytes. */
  private static final int MAX_NAME_LENGTH = 1024;

  private static final TextRule NAME =
      TextRule.checked(
          "1 to " + MAX_NAME_LENGTH + " bytes",
          text ->
              !text.isEmpty() && text.getBytes(StandardCharsets.UTF_8).length <= MAX_NAME_LENGTH);

  private static final TextRule SOME_REGEX =
      TextRule.checked(
              TextRules.REGEX.expected() + ", not empty",
              text -> !text.isEmpty() && TextRules.isRegex(text))
          .explained(TextRules::explainRegex);

  /** How a parameter is matched. */
  public enum Match {
    PRESENT,
    EXACT,
    PREFIX,
    SUFFIX,
    REGEX,
    CONTAINS
  }

  static QueryCondition decode(Fields fields) {
    String name = fields.requiredText("name", NAME);
    Map<Match, String> given = new TreeMap<>();
    for (Match match :
        List.of(Match.EXACT, Match.PREFIX, Match.SUFFIX, Match.REGEX, Match.CONTAINS)) {
      String field = match.name().toLowerCase(Locale.ROOT);
      String text = fields.text(field, match == Match.REGEX ? SOME_REGEX : TextRules.NOT_EMPTY);
      if (fields.has(field)) {
        given.put(match, text == null ? "" : text);
      }
    }
    if (fields.flag("present")) {
      given.put(Match.PRESENT, "");
    }
    boolean ignoreCase = fields.flag("ignoreCase");
    if (given.size() != 1) {
      fields.invalid(
          (given.isEmpty() ? "nothing" : "more than one comparison")
              + " (expected: exactly one of exact, prefix, suffix, regex, contains, present)");
    }
    Match match = given.isEmpty() ? Match.PRESENT : given.keySet().iterator().next();
    if (ignoreCase && (match == Match.PRESENT || match == Match.REGEX)) {
      fields.invalid("ignoreCase", "true (expected: only with exact, prefix, suffix or contains)");
    }
    return new QueryCondition(name, match, given.getOrDefault(match, ""), ignoreCase);
  }
}
