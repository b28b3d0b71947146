// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.read;

import org.jspecify.annotations.Nullable;

/** The path of a value in its object, as a linked list; formatted only for problems. */
record Path(@Nullable Path parent, String step) {
  static final Path ROOT = new Path(null, "");

  Path field(String name) {
    return new Path(this, name);
  }

  Path element(int index) {
    return new Path(this, "[" + index + "]");
  }

  Path key(String key) {
    return new Path(this, "[\"" + key + "\"]");
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
    text.append(step);
  }
}
