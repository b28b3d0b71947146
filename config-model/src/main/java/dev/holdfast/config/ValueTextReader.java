// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads what {@link ValueText} writes, and nothing else: no white space, no escape that it does not
 * use. Whatever is different was not written by it, and is damage.
 */
final class ValueTextReader {
  private static final int DEEPEST = 1_000;

  private final String text;
  private final Position position;
  private int at;

  /** Those that were read before: objects have the same ones, and keep them. */
  private final Map<String, String> names = new HashMap<>();

  ValueTextReader(String text, Position position) {
    this.text = text;
    this.position = position;
  }

  Value read() {
    Value value = value(0);
    if (at < text.length()) {
      throw damaged("the end");
    }
    return value;
  }

  private Value value(int depth) {
    if (depth > DEEPEST) {
      throw damaged("a value nested less deeply");
    }
    switch (peek()) {
      case '{':
        return mapping(depth);
      case '[':
        return sequence(depth);
      case '"':
        return new Scalar(string(), position);
      case 't':
        expect("true");
        return new Scalar(true, position);
      case 'f':
        expect("false");
        return new Scalar(false, position);
      case 'n':
        expect("null");
        return new Scalar(null, position);
      default:
        return new Scalar(number(), position);
    }
  }

  private Mapping mapping(int depth) {
    Map<String, Value> fields = new LinkedHashMap<>();
    at++;
    if (peek() != '}') {
      do {
        String name = names.computeIfAbsent(string(), first -> first);
        expect(":");
        if (fields.put(name, value(depth + 1)) != null) {
          throw damaged("each name once");
        }
      } while (took(','));
    }
    expect("}");
    return new Mapping(fields, position);
  }

  private Sequence sequence(int depth) {
    List<Value> elements = new ArrayList<>();
    at++;
    if (peek() != ']') {
      do {
        elements.add(value(depth + 1));
      } while (took(','));
    }
    expect("]");
    return new Sequence(elements, position);
  }

  private Number number() {
    int start = at;
    boolean whole = true;
    while (at < text.length() && "+-.0123456789E".indexOf(text.charAt(at)) >= 0) {
      whole &= text.charAt(at) != '.' && text.charAt(at) != 'E';
      at++;
    }
    String digits = text.substring(start, at);
    try {
      return whole ? (Number) Long.valueOf(digits) : new BigDecimal(digits);
    } catch (NumberFormatException e) {
      at = start;
      throw damaged("a value");
    }
  }

  private String string() {
    expect("\"");
    StringBuilder string = new StringBuilder();
    while (peek() != '"') {
      char character = text.charAt(at++);
      string.append(character == '\\' ? escaped() : character);
    }
    at++;
    return string.toString();
  }

  private char escaped() {
    char escaped = peek();
    at++;
    if (escaped == '"' || escaped == '\\') {
      return escaped;
    }
    if (escaped == 'u' && at + 4 <= text.length()) {
      int code = 0;
      for (int end = at + 4; at < end; at++) {
        int digit = Character.digit(text.charAt(at), 16);
        if (digit < 0) {
          throw damaged("a hexadecimal digit");
        }
        code = code << 4 | digit;
      }
      return (char) code;
    }
    throw damaged("an escape");
  }

  private char peek() {
    if (at >= text.length()) {
      throw damaged("more");
    }
    return text.charAt(at);
  }

  private boolean took(char wanted) {
    boolean there = peek() == wanted;
    at += there ? 1 : 0;
    return there;
  }

  private void expect(String wanted) {
    if (!text.startsWith(wanted, at)) {
      throw damaged(wanted);
    }
    at += wanted.length();
  }

  /** Tells the place, never the text: it may be what somebody else wrote. */
  private IllegalArgumentException damaged(String wanted) {
    return new IllegalArgumentException("value: broken at " + at + " (expected: " + wanted + ")");
  }
}
