// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.status;

import dev.holdfast.config.Mapping;
import dev.holdfast.config.Position;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import dev.holdfast.config.ValueText;
import dev.holdfast.envoy.api.SensitiveTexts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Writes a spec as lines of YAML, without private data. */
final class SpecText {
  private static final String REMOVED = "[removed]";
  private static final Pattern PLAIN =
      Pattern.compile("[A-Za-z/][A-Za-z0-9/._-]*( [A-Za-z0-9/._-]+)*");
  private static final Set<String> NOT_TEXT =
      Set.of("true", "false", "null", "yes", "no", "on", "off");

  /** Fields of Envoy's API, in both spellings, that hold private data. */
  private static final Set<String> PRIVATE =
      Set.of("private_key", "privateKey", "password", "inline_bytes", "inlineBytes");

  private final List<String> lines = new ArrayList<>();

  /** Values in places that are known to be sensitive. */
  private final Set<String> sensitive;

  private SpecText(Set<String> sensitive) {
    this.sensitive = sensitive;
  }

  static List<String> of(Mapping body) {
    SpecText text = new SpecText(Set.copyOf(SensitiveTexts.of(body)));
    text.fields(body, "");
    return text.lines;
  }

  private void fields(Mapping mapping, String indent) {
    for (Map.Entry<String, Value> field : mapping.fields().entrySet()) {
      boolean hidden = PRIVATE.contains(field.getKey());
      value(
          indent + scalar(field.getKey()) + ":",
          hidden ? new Scalar(REMOVED, field.getValue().position()) : field.getValue(),
          indent);
    }
  }

  /** Writes a value after the key or dash that introduces it. */
  private void value(String head, Value value, String indent) {
    if (value instanceof Mapping mapping && !mapping.fields().isEmpty()) {
      lines.add(head);
      fields(mapping, indent + "  ");
    } else if (value instanceof Sequence sequence && !sequence.elements().isEmpty()) {
      lines.add(head);
      sequence.elements().forEach(element -> value(indent + "-", element, indent));
    } else if (value instanceof Scalar scalar
        && scalar.value() instanceof String text
        && text.strip().indexOf('\n') >= 0
        && !isPrivate(text)) {
      lines.add(head + " |");
      text.lines().forEach(line -> lines.add((indent + "  " + line).stripTrailing()));
    } else {
      lines.add(head + " " + inline(value));
    }
  }

  private String inline(Value value) {
    if (value instanceof Scalar scalar && scalar.value() instanceof String text) {
      return isPrivate(text) ? REMOVED : scalar(text);
    }
    return ValueText.of(value);
  }

  private boolean isPrivate(String text) {
    return text.contains("PRIVATE KEY") || sensitive.contains(text);
  }

  /** The text itself if YAML reads it as a string, otherwise quoted. */
  private static String scalar(String text) {
    boolean plain = PLAIN.matcher(text).matches() && !NOT_TEXT.contains(text);
    return plain || text.equals(REMOVED)
        ? text
        : ValueText.of(new Scalar(text, Position.of("text")));
  }
}
