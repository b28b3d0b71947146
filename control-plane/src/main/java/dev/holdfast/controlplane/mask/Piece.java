// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.mask;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A part of a sensitive value that is looked for: the whole value, or one of its lines. */
final class Piece {
  /** The bytes that the index is made of. */
  static final int BLOCK = 4;

  /** A part that is as long as this says too much of a secret. */
  static final int LONG_PART = 8;

  /**
   * A part of a value with many lines, such as a configuration file, that says too much: shorter
   * ones are words that others use too.
   */
  private static final int LONG_PART_OF_FILE = 16;

  /** Of values up to this length, each part is found; of longer ones, lines and long parts. */
  private static final int SHORT_VALUE = 1024;

  /** So that each part of eight bytes contains an indexed block. */
  private static final int DENSE = LONG_PART - BLOCK + 1;

  private static final int SPARSE = 24;

  private final byte[] bytes;
  private final int from;
  private final int to;
  private final int least;
  private final int stride;

  private Piece(byte[] bytes, int from, int to, int least, int stride) {
    this.bytes = bytes;
    this.from = from;
    this.to = to;
    this.least = least;
    this.stride = stride;
  }

  /** The bytes of the value. */
  byte[] bytes() {
    return bytes;
  }

  int from() {
    return from;
  }

  int to() {
    return to;
  }

  /** How many bytes of it in a row are enough to be masked. */
  int least() {
    return least;
  }

  /** The distance of the places at which it is indexed. */
  int stride() {
    return stride;
  }

  int length() {
    return to - from;
  }

  /** Whether only the whole of it is looked for, and only as a word. */
  boolean isWord() {
    return length() < LONG_PART;
  }

  /** The pieces of a value; those shorter than a block are for {@link QuotedWords}. */
  static List<Piece> of(ByteBuffer value) {
    byte[] bytes = bytes(value);
    List<Piece> pieces = new ArrayList<>();
    List<int[]> lines = lines(bytes);
    boolean single = lines.size() <= 1;
    boolean dense = bytes.length <= SHORT_VALUE;
    if (single) {
      for (int[] line : lines) {
        pieces.add(line(bytes, line[0], line[1], dense ? LONG_PART : LONG_PART_OF_FILE, dense));
      }
      return pieces;
    }
    pieces.add(line(bytes, 0, bytes.length, LONG_PART_OF_FILE, dense));
    for (int[] line : lines) {
      int length = line[1] - line[0];
      if (length >= BLOCK) { // a shorter line of many, such as a brace, is nobody's secret
        pieces.add(new Piece(bytes, line[0], line[1], length, length));
      }
    }
    return pieces;
  }

  private static byte[] bytes(ByteBuffer value) {
    if (value.arrayOffset() == 0 && value.array().length == value.remaining()) {
      return value.array();
    }
    byte[] bytes = new byte[value.remaining()];
    value.duplicate().get(bytes);
    return bytes;
  }

  private static Piece line(byte[] bytes, int from, int to, int least, boolean dense) {
    int length = to - from;
    return length < LONG_PART
        ? new Piece(bytes, from, to, length, LONG_PART)
        : new Piece(bytes, from, to, Math.min(least, length), dense ? DENSE : SPARSE);
  }

  /** Where each line starts and ends, without blanks around it; none for empty lines. */
  private static List<int[]> lines(byte[] bytes) {
    List<int[]> lines = new ArrayList<>();
    int start = 0;
    for (int i = 0; i <= bytes.length; i++) {
      if (i == bytes.length || bytes[i] == '\n' || bytes[i] == '\r') {
        int from = start;
        int to = i;
        while (from < to && isBlank(bytes[from])) {
          from++;
        }
        while (to > from && isBlank(bytes[to - 1])) {
          to--;
        }
        if (from < to) {
          lines.add(new int[] {from, to});
        }
        start = i + 1;
      }
    }
    return lines;
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\t';
  }
}
