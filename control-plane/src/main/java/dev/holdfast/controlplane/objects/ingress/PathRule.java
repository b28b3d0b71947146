// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.ingress;

import dev.holdfast.controlplane.objects.read.EnumWord;
import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.TextRules;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A rule that sends requests with a path to a backend. */
public record PathRule(String path, Match match, Backend backend) {
  private static final Pattern LOOKS_LIKE_REGEX = Pattern.compile(".*[\\^+*\\[\\]%].*");

  /** How the path is matched. */
  public enum Match {
    /** By segments. */
    SEGMENTS,
    EXACT,
    /** By its first characters. */
    PREFIX,
    REGEX
  }

  /** The path types that authors write. */
  private enum PathType implements EnumWord {
    PREFIX("Prefix"),
    EXACT("Exact"),
    IMPLEMENTATION_SPECIFIC("ImplementationSpecific");

    private final String word;

    PathType(String word) {
      this.word = word;
    }

    @Override
    public String word() {
      return word;
    }
  }

  static PathRule decode(Fields fields) {
    String path = fields.text("path", TextRules.PATH);
    PathType type = fields.requiredEnumValue("pathType", PathType.PREFIX);
    Backend backend = fields.requiredGroup("backend", Backend::decode);
    if (path == null && !fields.has("path") && type != PathType.IMPLEMENTATION_SPECIFIC) {
      fields.missing("path", "missing (expected: a path, as pathType is " + type.word() + ")");
    }
    PathRule rule = new PathRule(path == null ? "/" : path, match(type, path), backend);
    rule.check(fields);
    return rule;
  }

  private static Match match(PathType type, @Nullable String path) {
    return switch (type) {
      case EXACT -> Match.EXACT;
      case PREFIX -> path == null || path.equals("/") ? Match.PREFIX : Match.SEGMENTS;
      case IMPLEMENTATION_SPECIFIC ->
          path != null && LOOKS_LIKE_REGEX.matcher(path).matches() ? Match.REGEX : Match.PREFIX;
    };
  }

  private void check(Fields fields) {
    if (match == Match.SEGMENTS && path.matches("[^?#]*[?#].*")) {
      fields.invalid(
          "path", "\"" + path + "\" (expected: no ? or #, which are not part of a path)");
    }
    if (match == Match.REGEX && !TextRules.isRegex(path)) {
      fields.invalid("path", TextRules.REGEX.problem(path));
    }
  }
}
