// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.mask;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A text as the bytes that it stands for, each with the characters that it came from. Proxies quote
 * values as they are, or with escapes: of protobuf's text format, of JSON, or of URLs.
 */
final class TextBytes {
  private byte[] bytes;
  private int[] starts;
  private int[] ends;
  private int length;

  private TextBytes(int capacity) {
    bytes = new byte[capacity];
    starts = new int[capacity];
    ends = new int[capacity];
  }

  /** The text as it is. */
  static TextBytes of(String text) {
    TextBytes result = new TextBytes(text.length() + 16);
    for (int i = 0; i < text.length(); ) {
      int point = text.codePointAt(i);
      int end = i + Character.charCount(point);
      result.addPoint(point, i, end);
      i = end;
    }
    return result;
  }

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  /** The first of the characters that a byte came from. */
  int start(int at) {
    return starts[at];
  }

  /** The character after those that a byte came from. */
  int end(int at) {
    return ends[at];
  }

  /** The same without backslash escapes; null if there are none. */
  @Nullable TextBytes withoutBackslashes() {
    if (!contains('\\')) {
      return null;
    }
    TextBytes result = new TextBytes(length);
    int i = 0;
    while (i < length) {
      i = bytes[i] == '\\' && i + 1 < length ? result.addEscape(this, i) : result.copy(this, i);
    }
    return result;
  }

  /** The same without the escapes of URLs; null if there are none. */
  @Nullable TextBytes withoutPercents() {
    if (!contains('%')) {
      return null;
    }
    TextBytes result = new TextBytes(length);
    int i = 0;
    while (i < length) {
      int value = bytes[i] == '%' ? number(i + 1, 2, 16) : -1;
      if (value >= 0 && digits(i + 1, 2, 16) == 2) {
        result.addByte((byte) value, starts[i], ends[i + 2]);
        i += 3;
      } else {
        i = result.copy(this, i);
      }
    }
    return result;
  }

  private boolean contains(char c) {
    for (int i = 0; i < length; i++) {
      if (bytes[i] == c) {
        return true;
      }
    }
    return false;
  }

  /** Adds what the escape at an index stands for; returns the index after it. */
  private int addEscape(TextBytes from, int at) {
    byte kind = from.bytes[at + 1];
    switch (kind) {
      case 'x', 'X':
        return addNumber(from, at, from.digits(at + 2, 2, 16), 16);
      case 'u':
        return addUnicode(from, at, 4);
      case 'U':
        return addUnicode(from, at, 8);
      default:
        break;
    }
    if (kind >= '0' && kind <= '7') {
      int octal = from.digits(at + 1, 3, 8);
      addByte((byte) from.number(at + 1, octal, 8), from.starts[at], from.ends[at + octal]);
      return at + 1 + octal;
    }
    int simple = "abfnrtv".indexOf(kind);
    byte value = simple < 0 ? kind : (byte) "\u0007\b\f\n\r\t\u000b".charAt(simple);
    addByte(value, from.starts[at], from.ends[at + 1]);
    return at + 2;
  }

  private int addNumber(TextBytes from, int at, int digits, int radix) {
    if (digits == 0) {
      return copy(from, at);
    }
    addByte((byte) from.number(at + 2, digits, radix), from.starts[at], from.ends[at + 1 + digits]);
    return at + 2 + digits;
  }

  private int addUnicode(TextBytes from, int at, int digits) {
    if (from.digits(at + 2, digits, 16) < digits) {
      return copy(from, at);
    }
    int point = from.number(at + 2, digits, 16);
    int end = at + 2 + digits;
    boolean high = point >= Character.MIN_HIGH_SURROGATE && point <= Character.MAX_HIGH_SURROGATE;
    if (high
        && end + 6 <= from.length
        && from.bytes[end] == '\\'
        && from.bytes[end + 1] == 'u'
        && from.digits(end + 2, 4, 16) == 4) {
      int low = from.number(end + 2, 4, 16);
      if (low >= Character.MIN_LOW_SURROGATE && low <= Character.MAX_LOW_SURROGATE) {
        point = Character.toCodePoint((char) point, (char) low);
        end += 6;
      }
    }
    addPoint(point, from.starts[at], from.ends[end - 1]);
    return end;
  }

  /** How many digits there are from an index on, at most so many. */
  private int digits(int at, int most, int radix) {
    int count = 0;
    while (count < most
        && at + count < length
        && bytes[at + count] > 0
        && Character.digit(bytes[at + count], radix) >= 0) {
      count++;
    }
    return count;
  }

  private int number(int at, int digits, int radix) {
    int value = 0;
    for (int i = 0; i < digits && at + i < length; i++) {
      int digit = bytes[at + i] < 0 ? -1 : Character.digit(bytes[at + i], radix);
      if (digit < 0) {
        return -1;
      }
      value = value * radix + digit;
    }
    return value;
  }

  private int copy(TextBytes from, int at) {
    addByte(from.bytes[at], from.starts[at], from.ends[at]);
    return at + 1;
  }

  private void addPoint(int point, int start, int end) {
    if (point >= 0 && point < 0x80) {
      addByte((byte) point, start, end);
      return;
    }
    String text = Character.isValidCodePoint(point) ? Character.toString(point) : "?";
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      addByte(b, start, end);
    }
  }

  private void addByte(byte b, int start, int end) {
    if (length == bytes.length) {
      int capacity = Math.max(16, length * 2);
      bytes = Arrays.copyOf(bytes, capacity);
      starts = Arrays.copyOf(starts, capacity);
      ends = Arrays.copyOf(ends, capacity);
    }
    bytes[length] = b;
    starts[length] = start;
    ends[length] = end;
    length++;
  }
}
