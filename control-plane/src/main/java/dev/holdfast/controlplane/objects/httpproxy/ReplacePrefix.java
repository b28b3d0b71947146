// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.httpproxy;

import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.TextRules;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A replacement of the matched prefix.
 *
 * @param prefix the prefix to replace; empty for every prefix without a replacement of its own
 */
public record ReplacePrefix(String prefix, String replacement) {

  /** The field {@code pathRewritePolicy} of a route. */
  static List<ReplacePrefix> policy(Fields parent) {
    List<ReplacePrefix> policy = parent.group("pathRewritePolicy", ReplacePrefix::all);
    return policy == null ? List.of() : policy;
  }

  private static List<ReplacePrefix> all(Fields fields) {
    Set<String> seen = new HashSet<>();
    return fields.groups("replacePrefix", entry -> decode(entry, seen));
  }

  private static ReplacePrefix decode(Fields fields, Set<String> seen) {
    String prefix = fields.text("prefix", TextRules.PATH);
    String replacement = fields.requiredText("replacement", TextRules.PATH);
    if (!seen.add(prefix == null ? "" : prefix)) {
      fields.invalid(
          prefix == null
              ? "a second replacement for every prefix (expected: at most one without prefix)"
              : "a second replacement for \"" + prefix + "\" (expected: one)");
    }
    return new ReplacePrefix(prefix == null ? "" : prefix, replacement);
  }
}
