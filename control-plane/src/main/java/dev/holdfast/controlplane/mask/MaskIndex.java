// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.mask;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Sensitive values, each with the number of objects that have it. */
final class MaskIndex {
  private final PieceIndex index = new PieceIndex();
  private final QuotedWords words = new QuotedWords();
  private final Map<ByteBuffer, Entry> entries = new HashMap<>();

  private static final class Entry {
    private final List<Piece> pieces;
    private final List<Integer> ids = new ArrayList<>();
    private int count;

    Entry(List<Piece> pieces) {
      this.pieces = pieces;
    }
  }

  void add(ByteBuffer value) {
    Entry entry = entries.computeIfAbsent(value, unused -> new Entry(Piece.of(value)));
    if (entry.count++ == 0) {
      for (Piece piece : entry.pieces) {
        if (piece.length() < Piece.BLOCK) {
          words.add(piece);
        } else {
          entry.ids.add(index.add(piece));
        }
      }
    }
  }

  void remove(ByteBuffer value) {
    Entry entry = entries.get(value);
    if (entry != null && --entry.count == 0) {
      entries.remove(value);
      entry.ids.forEach(index::remove);
      entry.pieces.stream().filter(piece -> piece.length() < Piece.BLOCK).forEach(words::remove);
    }
  }

  String mask(String text) {
    return entries.isEmpty() ? text : new TextMasker(index, text).mask(words);
  }
}
