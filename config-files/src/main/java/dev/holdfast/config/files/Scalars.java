// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import dev.holdfast.config.Position;
import dev.holdfast.config.Scalar;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.events.ScalarEvent;

/**
 * The core schema of YAML 1.2: {@code yes} and {@code on} are strings, {@code 0o17} is a number.
 * Numbers keep every digit; those with absurdly many, or far outside of what a double can hold, are
 * refused, because computing with them would take for ever.
 */
final class Scalars {
  private static final int MOST_DIGITS = 100;
  private static final int LARGEST_EXPONENT = 400;

  private static final String PREFIX = "tag:yaml.org,2002:";
  private static final Set<String> NULLS = Set.of("", "~", "null", "Null", "NULL");
  private static final Set<String> TRUE = Set.of("true", "True", "TRUE");
  private static final Set<String> FALSE = Set.of("false", "False", "FALSE");
  private static final Pattern WHOLE = Pattern.compile("[-+]?[0-9]+");
  private static final Pattern OCTAL = Pattern.compile("0o[0-7]+");
  private static final Pattern HEXADECIMAL = Pattern.compile("0x[0-9a-fA-F]+");
  private static final Pattern FRACTION =
      Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");
  private static final Pattern NOT_FINITE =
      Pattern.compile("[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)");

  private Scalars() {}

  /** The value of a scalar; null in its place, with the problem noted, if it has none. */
  static Scalar resolve(
      ScalarEvent event, FieldPath place, Position position, ProblemCollector findings) {
    Optional<String> tag = event.getTag();
    String text = event.getValue();
    if (tag.isEmpty()) {
      return event.isPlain() ? plain(text, place, position, findings) : new Scalar(text, position);
    }
    if (tag.get().equals("!") || tag.get().equals(PREFIX + "str")) {
      return new Scalar(text, position);
    }
    Scalar value = plain(text, place, position, findings);
    if (!tag.get().equals(PREFIX + typeOf(value.value()))
        && !(tag.get().equals(PREFIX + "float") && value.value() instanceof Long)) {
      findings.invalid(
          place,
          position,
          "tag: "
              + YamlText.shown(tag.get())
              + " (expected: none, or one of !!str, !!int, !!float, !!bool, !!null that fits)");
    }
    return value;
  }

  private static String typeOf(@Nullable Object value) {
    if (value == null) {
      return "null";
    }
    if (value instanceof Boolean) {
      return "bool";
    }
    if (value instanceof Long) {
      return "int";
    }
    if (value instanceof BigDecimal number) {
      return number.scale() == 0 ? "int" : "float";
    }
    return "str";
  }

  private static Scalar plain(
      String text, FieldPath place, Position position, ProblemCollector findings) {
    if (NULLS.contains(text)) {
      return new Scalar(null, position);
    }
    if (TRUE.contains(text) || FALSE.contains(text)) {
      return new Scalar(TRUE.contains(text), position);
    }
    if (!startsLikeANumber(text)) {
      return new Scalar(text, position);
    }
    if (NOT_FINITE.matcher(text).matches()) {
      findings.unsupported(place, position, text + " (expected: a finite number)");
      return new Scalar(null, position);
    }
    boolean octal = OCTAL.matcher(text).matches();
    boolean hexadecimal = HEXADECIMAL.matcher(text).matches();
    boolean whole = WHOLE.matcher(text).matches();
    if (!octal && !hexadecimal && !whole && !FRACTION.matcher(text).matches()) {
      return new Scalar(text, position);
    }
    if (text.length() <= MOST_DIGITS) {
      if (octal || hexadecimal || whole) {
        BigInteger number =
            octal || hexadecimal
                ? new BigInteger(text.substring(2), octal ? 8 : 16)
                : new BigInteger(text.startsWith("+") ? text.substring(1) : text);
        return new Scalar(
            number.bitLength() < Long.SIZE ? (Object) number.longValue() : new BigDecimal(number),
            position);
      }
      BigDecimal number = fraction(text);
      if (number != null && Math.abs((long) number.scale()) <= LARGEST_EXPONENT) {
        return new Scalar(number, position);
      }
    }
    findings.invalid(
        place,
        position,
        "number: "
            + YamlText.shown(text)
            + " (expected: at most "
            + MOST_DIGITS
            + " characters and an exponent within "
            + LARGEST_EXPONENT
            + "; put quotes around it if it is meant as a string)");
    return new Scalar(null, position);
  }

  private static boolean startsLikeANumber(String text) {
    char first = text.charAt(0);
    return (first >= '0' && first <= '9') || first == '-' || first == '+' || first == '.';
  }

  private static @Nullable BigDecimal fraction(String text) {
    try {
      return new BigDecimal(text);
    } catch (NumberFormatException e) {
      return null; // an exponent beyond an int
    }
  }
}
