// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Value;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Plain values of fields, in the forms that the JSON mapping of Protocol Buffers allows. */
final class ScalarReader {
  private static final BigInteger MAX_UINT64 =
      BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);
  private static final int LONGEST_NUMBER = 400;

  private ScalarReader() {}

  /** The value as messages hold it; null after a problem. */
  static @Nullable Object read(FieldDescriptor field, Value value, FieldPath at) {
    return switch (field.getType()) {
      case STRING -> text(value, at);
      case BYTES -> bytes(value, at);
      case BOOL -> flag(value, at);
      case ENUM -> enumValue(field, value, at);
      case DOUBLE -> real(value, at);
      case FLOAT -> single(value, at);
      case INT32, SINT32, SFIXED32 -> {
        BigInteger whole = whole(value, Integer.MIN_VALUE, Integer.MAX_VALUE, at);
        yield whole == null ? null : whole.intValue();
      }
      case UINT32, FIXED32 -> {
        BigInteger whole = whole(value, 0, 0xffff_ffffL, at);
        yield whole == null ? null : whole.intValue();
      }
      case INT64, SINT64, SFIXED64 -> {
        BigInteger whole = whole(value, Long.MIN_VALUE, Long.MAX_VALUE, at);
        yield whole == null ? null : whole.longValue();
      }
      case UINT64, FIXED64 -> {
        BigInteger whole = whole(value, BigInteger.ZERO, MAX_UINT64, at);
        yield whole == null ? null : whole.longValue();
      }
      case MESSAGE, GROUP -> throw new IllegalArgumentException(field.getFullName());
    };
  }

  static @Nullable Object content(Value value) {
    return value instanceof Scalar scalar ? scalar.value() : null;
  }

  static boolean isNull(Value value) {
    return value instanceof Scalar scalar && scalar.value() == null;
  }

  static @Nullable String text(Value value, FieldPath at) {
    if (!(content(value) instanceof String text)) {
      boolean quotable = value instanceof Scalar && !isNull(value);
      at.wrongSort(value, quotable ? "a string; put it in quotes" : "a string");
      return null;
    }
    if (!isWellFormed(text)) {
      at.invalid(value, "half of a character (expected: Unicode)");
      return null;
    }
    return text;
  }

  /** Whether each surrogate has its other half, as only then there are bytes for the text. */
  static boolean isWellFormed(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
      } else if (Character.isSurrogate(c)) {
        return false;
      }
    }
    return true;
  }

  private static @Nullable ByteString bytes(Value value, FieldPath at) {
    if (!(content(value) instanceof String text)) {
      at.wrongSort(value, "a string in base64");
      return null;
    }
    try {
      boolean urlSafe = text.indexOf('-') >= 0 || text.indexOf('_') >= 0;
      Base64.Decoder decoder = urlSafe ? Base64.getUrlDecoder() : Base64.getDecoder();
      return ByteString.copyFrom(decoder.decode(text));
    } catch (IllegalArgumentException e) {
      at.invalid(value, "not base64 (expected: bytes in base64)");
      return null;
    }
  }

  private static @Nullable Boolean flag(Value value, FieldPath at) {
    if (content(value) instanceof Boolean flag) {
      return flag;
    }
    at.wrongSort(value, "true or false");
    return null;
  }

  private static @Nullable EnumValueDescriptor enumValue(
      FieldDescriptor field, Value value, FieldPath at) {
    Object content = content(value);
    if (content instanceof String name) {
      EnumValueDescriptor named = field.getEnumType().findValueByName(name);
      if (named == null) {
        at.invalid(value, ErrorText.quote(name) + " (expected: one of " + names(field) + ")");
      }
      return named;
    }
    if (!(content instanceof Long || content instanceof BigDecimal)) {
      at.wrongSort(value, "one of " + names(field));
      return null;
    }
    BigInteger number = whole(value, Integer.MIN_VALUE, Integer.MAX_VALUE, at);
    if (number == null) {
      return null;
    }
    EnumValueDescriptor known = field.getEnumType().findValueByNumber(number.intValue());
    if (known == null) {
      at.invalid(value, number + " (expected: one of " + names(field) + ")");
    }
    return known;
  }

  private static String names(FieldDescriptor field) {
    return ErrorText.list(field.getEnumType().getValues(), EnumValueDescriptor::getName);
  }

  private static @Nullable BigInteger whole(Value value, long min, long max, FieldPath at) {
    return whole(value, BigInteger.valueOf(min), BigInteger.valueOf(max), at);
  }

  private static @Nullable BigInteger whole(
      Value value, BigInteger min, BigInteger max, FieldPath at) {
    String range = "a whole number from " + min + " to " + max;
    BigDecimal number = number(value);
    if (number == null) {
      at.wrongSort(value, range);
      return null;
    }
    // Before it is written out: 1e999999999 is short, and its digits are not.
    boolean fits = number.precision() - (long) number.scale() <= 20;
    boolean isWhole = number.signum() == 0 || number.stripTrailingZeros().scale() <= 0;
    if (fits && isWhole) {
      BigInteger whole = number.toBigInteger();
      if (whole.compareTo(min) >= 0 && whole.compareTo(max) <= 0) {
        return whole;
      }
    }
    at.invalid(value, ErrorText.start(number.toString()) + " (expected: " + range + ")");
    return null;
  }

  /** The number, which may stand in a string; null if it is none. */
  private static @Nullable BigDecimal number(Value value) {
    Object content = content(value);
    if (content instanceof Long whole) {
      return BigDecimal.valueOf(whole);
    }
    if (content instanceof BigDecimal decimal) {
      return decimal;
    }
    if (content instanceof String text && text.length() <= LONGEST_NUMBER) {
      try {
        return new BigDecimal(text);
      } catch (NumberFormatException e) {
        return null;
      }
    }
    return null;
  }

  /** A finite number, or one of the words for those that are not. */
  static @Nullable Double real(Value value, FieldPath at) {
    if (content(value) instanceof String word) {
      switch (word) {
        case "NaN":
          return Double.NaN;
        case "Infinity":
          return Double.POSITIVE_INFINITY;
        case "-Infinity":
          return Double.NEGATIVE_INFINITY;
        default:
          break;
      }
    }
    BigDecimal number = number(value);
    if (number == null) {
      at.wrongSort(value, "a number");
      return null;
    }
    double real = number.doubleValue();
    if (Double.isInfinite(real)) {
      at.invalid(value, ErrorText.start(number.toString()) + " (expected: a number of 64 bits)");
      return null;
    }
    return real;
  }

  private static @Nullable Float single(Value value, FieldPath at) {
    Double real = real(value, at);
    if (real == null) {
      return null;
    }
    float single = real.floatValue();
    if (Float.isInfinite(single) && !real.isInfinite()) {
      at.invalid(value, real + " (expected: a number of 32 bits)");
      return null;
    }
    return single;
  }
}
