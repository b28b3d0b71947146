// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.mask;

import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Sensitive values of so few characters that they are parts of many words. They are masked only
 * where a text quotes them.
 */
final class QuotedWords {
  private static final String QUOTES = "'\"`";

  private final Map<String, Integer> counts = new HashMap<>();

  void add(Piece piece) {
    counts.merge(text(piece), 1, Integer::sum);
  }

  void remove(Piece piece) {
    counts.computeIfPresent(text(piece), (text, count) -> count == 1 ? null : count - 1);
  }

  private static String text(Piece piece) {
    return new String(piece.bytes(), piece.from(), piece.length(), StandardCharsets.UTF_8);
  }

  /** Marks the characters of quoted words. */
  void find(String text, BitSet removed) {
    if (counts.isEmpty()) {
      return;
    }
    for (int i = 0; i + 1 < text.length(); i++) {
      if (QUOTES.indexOf(text.charAt(i)) < 0) {
        continue;
      }
      for (int end = i + 2; end <= i + Piece.BLOCK && end < text.length(); end++) {
        if (text.charAt(end) == text.charAt(i) && counts.containsKey(text.substring(i + 1, end))) {
          removed.set(i + 1, end);
        }
      }
    }
  }
}
