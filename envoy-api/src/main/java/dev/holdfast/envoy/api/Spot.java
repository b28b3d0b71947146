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
record Spot(Findings findings, @Nullable Spot parent, String step, int depth) {
  static Spot root(Findings findings) {
    return new Spot(findings, null, "", 0);
  }

  Spot field(String name) {
    return new Spot(findings, this, name, depth);
  }

  Spot element(int index) {
    return new Spot(findings, this, "[" + index + "]", depth);
  }

  Spot key(String key) {
    return new Spot(findings, this, "[\"" + key + "\"]", depth);
  }

  /** The same place, that many messages further in. */
  Spot inside(int messages) {
    return new Spot(findings, parent, step, depth + messages);
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
    invalid(value, Words.sort(value) + " (expected: " + expected + ")");
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
    text.append(Words.start(step));
  }
}
