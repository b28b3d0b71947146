// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.mask;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Replaces what is known to be sensitive in one text. */
final class TextMasker {
  /**
   * How many bytes are compared at most. A text that needs more, which takes values made for it, is
   * removed as a whole.
   */
  private static final int MOST_WORK = 4_000_000;

  private static final String ELLIPSIS = "...";
  private static final String ESCAPE = "\\%uUx0123456789abcdefABCDEF";
  private static final int LONGEST_ESCAPE = 12;

  private final PieceIndex index;
  private final String text;

  /** The characters to remove. */
  private final BitSet removed = new BitSet();

  private int work;

  TextMasker(PieceIndex index, String text) {
    this.index = index;
    this.text = text;
  }

  /** The text with a mask in the place of sensitive values. */
  String mask(QuotedWords words) {
    words.find(text, removed);
    if (!searchAllForms()) {
      return SensitiveValues.MASK;
    }
    if (removed.isEmpty()) {
      return text;
    }
    StringBuilder masked = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      int start = removed.nextSetBit(at);
      if (start < 0) {
        break;
      }
      int end = Math.min(removed.nextClearBit(start), text.length());
      masked.append(text, at, start).append(SensitiveValues.MASK);
      at = end;
    }
    return masked.append(text, Math.min(at, text.length()), text.length()).toString();
  }

  /** False if that is too much work. */
  private boolean searchAllForms() {
    TextBytes plain = TextBytes.of(text);
    TextBytes unescaped = plain.withoutBackslashes();
    return search(plain)
        && search(plain.withoutPercents())
        && search(unescaped)
        && search(unescaped == null ? null : unescaped.withoutBackslashes());
  }

  private boolean search(@Nullable TextBytes form) {
    if (form == null) {
      return true;
    }
    Found found = new Found(form);
    int at = 0;
    while (at + Piece.BLOCK <= form.length()) {
      found.reset(at);
      if (!index.find(form.bytes(), at, found)) {
        return false;
      }
      // A part that begins inside of the one just found may go on after it.
      at = Math.max(at + 1, found.end - Piece.LONG_PART + 1);
    }
    return true;
  }

  /** Compares the pieces at one place of the text, and removes the longest match. */
  private final class Found implements PieceIndex.Candidates {
    private final TextBytes form;
    private int place;
    private int end;

    Found(TextBytes form) {
      this.form = form;
    }

    void reset(int at) {
      place = at;
      end = at;
    }

    @Override
    public boolean found(Piece piece, int at) {
      int from = 0;
      while (at - from > piece.from()
          && place - from > 0
          && piece.bytes()[at - from - 1] == form.bytes()[place - from - 1]) {
        from++;
      }
      int to = 0;
      while (at + to < piece.to()
          && place + to < form.length()
          && piece.bytes()[at + to] == form.bytes()[place + to]) {
        to++;
      }
      work += from + to + 1;
      int start = place - from;
      int stop = place + to;
      if (to >= Piece.BLOCK && isTelling(piece, at - from, start, stop)) {
        end = Math.max(end, stop);
        removed.set(form.start(start), form.end(stop - 1));
      }
      return work <= MOST_WORK;
    }

    /** Whether a part of a piece that stands in the text says too much. */
    private boolean isTelling(Piece piece, int pieceStart, int start, int stop) {
      int length = stop - start;
      if (piece.isWord()) {
        return length == piece.length() && isBoundary(start - 1) && isBoundary(stop);
      }
      return length >= piece.least()
          || (length >= Piece.LONG_PART && pieceStart == piece.from() && isCut(stop));
    }

    private boolean isBoundary(int at) {
      return at < 0
          || at >= form.length()
          || (form.bytes()[at] >= 0 && !Character.isLetterOrDigit(form.bytes()[at]));
    }

    /** Whether a quotation ends here because it was cut. */
    private boolean isCut(int stop) {
      int at = stop < form.length() ? form.start(stop) : text.length();
      if (at < text.length() && (text.charAt(at) == '\\' || text.charAt(at) == '%')) {
        int last = Math.min(text.length(), at + LONGEST_ESCAPE);
        while (at < last && ESCAPE.indexOf(text.charAt(at)) >= 0) {
          at++; // an escape that was cut itself
        }
      }
      return at >= text.length() || text.startsWith(ELLIPSIS, at);
    }
  }
}
