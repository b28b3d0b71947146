// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import dev.holdfast.base.Problem;
import dev.holdfast.config.Position;
import dev.holdfast.config.Value;
import org.jspecify.annotations.Nullable;

/**
 * Where the reading stands; a chain of links, spelled out only for a problem.
 *
 * @param depth how many messages this is inside of
 */
record FieldPath(ProblemCollector findings, @Nullable FieldPath parent, String step, int depth) {
  static FieldPath root(ProblemCollector findings) {
    return new FieldPath(findings, null, "", 0);
  }

  FieldPath field(String name) {
    return new FieldPath(findings, this, name, depth);
  }

  FieldPath element(int index) {
    return new FieldPath(findings, this, "[" + index + "]", depth);
  }

  FieldPath key(String key) {
    return new FieldPath(findings, this, "[\"" + key + "\"]", depth);
  }

  /** The same place, that many messages further in. */
  FieldPath inside(int messages) {
    return new FieldPath(findings, parent, step, depth + messages);
  }

  /** The value is wrong. */
  void invalid(Value value, String message) {
    invalid(value.position(), message);
  }

  /** What stands there is wrong. */
  void invalid(Position position, String message) {
    findings.add(toString(), Problem.Kind.INVALID, message, position);
  }

  /** The value is of the wrong sort. */
  void wrongSort(Value value, String expected) {
    invalid(value, ErrorText.sort(value) + " (expected: " + expected + ")");
  }

  /** Something is not there. */
  void missing(Position position, String message) {
    findings.add(toString(), Problem.Kind.REQUIRED, message, position);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    append(text);
    return text.toString();
  }

  private void append(StringBuilder text) {
    if (parent == null) {
      return;
    }
    parent.append(text);
    if (text.length() > 0 && !step.startsWith("[")) {
      text.append('.');
    }
    text.append(ErrorText.start(step));
  }
}
