// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import org.jspecify.annotations.Nullable;

/**
 * Lets equal texts be one object: ten thousand objects have the same few hundred field names and
 * reasons. For texts that repeat and that anybody may see, not for values. Of texts with the same
 * hash only the last one is remembered, so that this never grows. Any thread: at worst, two threads
 * keep one object each.
 */
final class SharedTexts {
  private static final int SIZE = 1 << 12;
  private static final int LONGEST = 200;

  private static final @Nullable String[] RECENT = new String[SIZE];

  private SharedTexts() {}

  /** An equal text, which others may have, too. */
  static String of(String text) {
    if (text.length() > LONGEST) {
      return text;
    }
    int hash = text.hashCode() * 0x9E3779B9;
    int at = (hash ^ (hash >>> 16)) & (SIZE - 1);
    String recent = RECENT[at];
    if (text.equals(recent)) {
      return recent;
    }
    RECENT[at] = text;
    return text;
  }
}
