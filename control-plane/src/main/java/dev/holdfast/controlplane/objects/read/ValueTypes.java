// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.read;

import dev.holdfast.base.NearestName;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Converts single values, and words the problems of values that cannot be converted. */
final class ValueTypes {
  private static final int MAX_QUOTE_LENGTH = 80;

  static final Type<Boolean> FLAG =
      new Type<>(
          new ValueSchema.Flag(),
          (value, problem) -> {
            if (scalar(value) instanceof Boolean flag) {
              return flag;
            }
            problem.accept(wrongType(value, "true or false"));
            return null;
          });

  private ValueTypes() {}

  /** A type of value: its schema and its converter. */
  record Type<T>(ValueSchema schema, Converter<T> converter) {
    @Nullable T convert(Value value, Consumer<String> problem) {
      return converter.convert(value, problem);
    }
  }

  /** Converts a value; null if it reported a problem. */
  interface Converter<T> {
    @Nullable T convert(Value value, Consumer<String> problem);
  }

  static Type<String> text(TextRule rule) {
    return new Type<>(
        new ValueSchema.Text(rule.pattern(), List.of()),
        (value, problem) -> {
          String text = string(value, problem);
          if (text != null && !rule.accepts().test(text)) {
            problem.accept(rule.problem(text));
            return null;
          }
          return text;
        });
  }

  static <T> Type<T> parsed(String pattern, String expected, Function<String, @Nullable T> parser) {
    return new Type<>(
        new ValueSchema.Text("^(?:" + pattern + ")$", List.of()),
        (value, problem) -> {
          String text = string(value, problem);
          T result = text == null ? null : parser.apply(text);
          if (text != null && result == null) {
            problem.accept(quote(text) + " (expected: " + expected + ")");
          }
          return result;
        });
  }

  static <E extends Enum<E> & EnumWord> Type<E> word(Class<E> words) {
    Map<String, E> byWord = new LinkedHashMap<>();
    for (E value : words.getEnumConstants()) {
      byWord.put(value.word(), value);
    }
    List<String> all = List.copyOf(byWord.keySet());
    return new Type<>(
        new ValueSchema.Text(null, all),
        (value, problem) -> {
          String text = string(value, problem);
          E word = text == null ? null : byWord.get(text);
          if (text != null && word == null) {
            String expected = all.size() == 1 ? all.get(0) : "one of " + String.join(", ", all);
            problem.accept(quote(text) + " (expected: " + expected + ")");
          }
          return word;
        });
  }

  static Type<Long> whole(long min, long max) {
    return new Type<>(
        new ValueSchema.WholeNumber(min, max),
        (value, problem) -> {
          Object number = scalar(value);
          if (number instanceof Long whole && whole >= min && whole <= max) {
            return whole;
          }
          boolean isNumber = number instanceof Long || number instanceof BigDecimal;
          String range = "a whole number from " + min + " to " + max;
          problem.accept(
              isNumber ? number + " (expected: " + range + ")" : wrongType(value, range));
          return null;
        });
  }

  private static @Nullable String string(Value value, Consumer<String> problem) {
    if (scalar(value) instanceof String text) {
      return text;
    }
    boolean quotable = value instanceof Scalar && !isNull(value);
    problem.accept(wrongType(value, quotable ? "a string; put it in quotes" : "a string"));
    return null;
  }

  private static @Nullable Object scalar(Value value) {
    return value instanceof Scalar scalar ? scalar.value() : null;
  }

  static boolean isNull(@Nullable Value value) {
    return value == null || (value instanceof Scalar scalar && scalar.value() == null);
  }

  /** Names only the type of the value: the value itself may be a secret. */
  static String wrongType(Value value, String expected) {
    return typeName(value) + " (expected: " + expected + ")";
  }

  private static String typeName(Value value) {
    if (value instanceof Mapping) {
      return "a mapping";
    }
    if (value instanceof Sequence) {
      return "a sequence";
    }
    Object scalar = scalar(value);
    if (scalar == null) {
      return "null";
    }
    return scalar instanceof String
        ? "a string"
        : scalar instanceof Boolean ? "true or false" : "a number";
  }

  /** The text on one line, truncated if it is long. */
  static String quote(String text) {
    String start =
        text.length() > MAX_QUOTE_LENGTH ? text.substring(0, MAX_QUOTE_LENGTH) + "..." : text;
    StringBuilder quoted = new StringBuilder("\"");
    start
        .codePoints()
        .forEach(
            c -> {
              if (c == '\n') {
                quoted.append("\\n");
              } else if (Character.isISOControl(c)) {
                quoted.append(String.format("\\u%04x", c));
              } else {
                quoted.appendCodePoint(c);
              }
            });
    return quoted.append('"').toString();
  }

  static String unknownField(String name, Collection<String> known) {
    String near = NearestName.of(name, known);
    if (near != null) {
      return "unknown field (did you mean " + near + "?)";
    }
    return known.isEmpty()
        ? "unknown field (expected: no fields here)"
        : "unknown field (expected: one of " + String.join(", ", known) + ")";
  }
}
