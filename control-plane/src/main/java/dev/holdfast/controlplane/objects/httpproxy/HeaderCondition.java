// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.httpproxy;

import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.TextRules;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A condition on a header.
 *
 * @param value empty for {@link Match#PRESENT}
 * @param negated whether the header must not match
 * @param missingIsEmpty whether a missing header counts as an empty one
 */
public record HeaderCondition(
    String name,
    Match match,
    boolean negated,
    String value,
    boolean ignoreCase,
    boolean missingIsEmpty) {

  /** How a header is matched. */
  public enum Match {
    PRESENT,
    CONTAINS,
    EXACT,
    REGEX
  }

  private record Candidate(String field, Match match, boolean negated, String value) {}

  static HeaderCondition decode(Fields fields) {
    String name = fields.requiredText("name", TextRules.TOKEN_NAME);
    List<Candidate> given = new ArrayList<>();
    addFlag(given, fields, "present", /* negated= */ false);
    addFlag(given, fields, "notpresent", /* negated= */ true);
    addText(given, fields, "contains", Match.CONTAINS);
    addText(given, fields, "notcontains", Match.CONTAINS);
    addText(given, fields, "exact", Match.EXACT);
    addText(given, fields, "notexact", Match.EXACT);
    addText(given, fields, "regex", Match.REGEX);
    boolean ignoreCase = fields.flag("ignoreCase");
    boolean missingIsEmpty = fields.flag("treatMissingAsEmpty");
    if (given.size() != 1) {
      fields.invalid(
          (given.isEmpty()
                  ? "nothing"
                  : String.join(" and ", given.stream().map(Candidate::field).toList()))
              + " (expected: exactly one of present, notpresent, contains, notcontains, exact,"
              + " notexact, regex)");
    }
    Candidate one =
        given.isEmpty() ? new Candidate("present", Match.PRESENT, false, "") : given.get(0);
    if (missingIsEmpty && !(one.negated() && one.match() != Match.PRESENT)) {
      fields.invalid("treatMissingAsEmpty", "true (expected: only with notcontains or notexact)");
    }
    if (ignoreCase && one.match() != Match.CONTAINS && one.match() != Match.EXACT) {
      fields.invalid(
          "ignoreCase", "true (expected: only with contains, exact and their contraries)");
    }
    return new HeaderCondition(
        name, one.match(), one.negated(), one.value(), ignoreCase, missingIsEmpty);
  }

  private static void addFlag(List<Candidate> given, Fields fields, String field, boolean negated) {
    if (fields.flag(field)) {
      given.add(new Candidate(field, Match.PRESENT, negated, ""));
    }
  }

  private static void addText(List<Candidate> given, Fields fields, String field, Match match) {
    String text =
        fields.text(field, match == Match.REGEX ? TextRules.REGEX : TextRules.HEADER_VALUE);
    if (fields.has(field)) {
      if (text != null && text.isEmpty() && match != Match.EXACT) {
        fields.invalid(field, "\"\" (expected: not empty)");
      }
      given.add(new Candidate(field, match, field.startsWith("not"), text == null ? "" : text));
    }
  }

  /** Why no request can meet this condition together with the others; null if some can. */
  @Nullable String contradictionTo(List<HeaderCondition> others) {
    for (HeaderCondition other : others) {
      if (name.equalsIgnoreCase(other.name) && contradicts(other)) {
        return "contradicts another condition on header " + name + " (expected: both can hold)";
      }
    }
    return null;
  }

  private boolean contradicts(HeaderCondition other) {
    if (match != other.match) {
      return false;
    }
    return switch (match) {
      case PRESENT -> negated != other.negated;
      case EXACT ->
          negated == other.negated
              ? !negated && !value.equals(other.value)
              : value.equals(other.value);
      case CONTAINS -> negated != other.negated && value.equals(other.value);
      case REGEX -> false;
    };
  }
}
