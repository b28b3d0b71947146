// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A path inside a document, as a link to the one above it; spelled out only when there is a problem
 * to report.
 */
record FieldPath(@Nullable FieldPath parent, String step) {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_-]{1,80}");

  static final FieldPath ROOT = new FieldPath(null, "");

  FieldPath field(String name) {
    return new FieldPath(
        this, PLAIN.matcher(name).matches() ? "." + name : "[\"" + YamlText.shown(name) + "\"]");
  }

  FieldPath element(int index) {
    return new FieldPath(this, "[" + index + "]");
  }

  @Override
  public String toString() {
    StringBuilder path = new StringBuilder();
    append(path);
    return path.length() > 0 && path.charAt(0) == '.' ? path.substring(1) : path.toString();
  }

  private void append(StringBuilder path) {
    if (parent != null) {
      parent.append(path);
    }
    path.append(step);
  }
}
