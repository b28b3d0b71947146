// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import java.math.BigDecimal;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A value as one line of JSON, for stores; it comes back as it was, but for its places. The format
 * is durable: what an older version wrote is read by every later one.
 *
 * <ul>
 *   <li>Fields keep their order.
 *   <li>A number with a fraction or an exponent is a BigDecimal and keeps its scale; one without is
 *       a Long. A BigDecimal that looks like a Long is written with the exponent 0.
 *   <li>Control characters and halves of surrogate pairs are escaped, so that the text is valid
 *       UTF-8 whatever is in it.
 * </ul>
 */
public final class ValueText {
  private static final String HEX = "0123456789abcdef";

  private final StringBuilder text = new StringBuilder();

  private ValueText() {}

  /** The text of a value. */
  public static String of(Value value) {
    ValueText writer = new ValueText();
    writer.value(value);
    return writer.text.toString();
  }

  /**
   * The value of a text.
   *
   * @param position where all of it is said to stand
   * @throws IllegalArgumentException if the text is none that {@link #of} gives
   */
  public static Value parse(String text, Position position) {
    return new ValueTextReader(text, position).read();
  }

  private void value(Value value) {
    if (value instanceof Mapping mapping) {
      mapping(mapping);
    } else if (value instanceof Sequence sequence) {
      sequence(sequence);
    } else if (value instanceof Scalar scalar) {
      scalar(scalar.value());
    }
  }

  private void mapping(Mapping mapping) {
    char before = '{';
    for (Map.Entry<String, Value> field : mapping.fields().entrySet()) {
      text.append(before);
      string(field.getKey());
      text.append(':');
      value(field.getValue());
      before = ',';
    }
    text.append(before == '{' ? "{}" : "}");
  }

  private void sequence(Sequence sequence) {
    char before = '[';
    for (Value element : sequence.elements()) {
      text.append(before);
      value(element);
      before = ',';
    }
    text.append(before == '[' ? "[]" : "]");
  }

  private void scalar(@Nullable Object value) {
    if (value instanceof String string) {
      string(string);
    } else if (value instanceof BigDecimal number) {
      String digits = number.toString();
      text.append(digits);
      if (digits.indexOf('.') < 0 && digits.indexOf('E') < 0) {
        text.append("E0");
      }
    } else {
      text.append(value);
    }
  }

  private void string(String string) {
    text.append('"');
    int next;
    for (int i = 0; i < string.length(); i += next) {
      int character = string.codePointAt(i);
      next = Character.charCount(character);
      if (character == '"' || character == '\\') {
        text.append('\\').append((char) character);
      } else if (character < ' ' || isHalf(character)) {
        escape(character);
      } else {
        text.appendCodePoint(character);
      }
    }
    text.append('"');
  }

  private static boolean isHalf(int character) {
    return character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE;
  }

  private void escape(int character) {
    text.append("\\u");
    for (int shift = 12; shift >= 0; shift -= 4) {
      text.append(HEX.charAt(character >> shift & 0xf));
    }
  }
}
