// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The rules of all that has an order: numbers of every type, durations, timestamps. */
final class RangeChecks<T extends Comparable<T>> {
  private final Message rules;
  private final Function<Object, T> comparable;
  private final List<Check> checks = new ArrayList<>();

  private RangeChecks(Message rules, Function<Object, T> comparable) {
    this.rules = rules;
    this.comparable = comparable;
  }

  /**
   * @param type the name of the rules in {@code validate.FieldRules}
   */
  static List<Check> of(String type, Message rules, Consumer<String> unsupported) {
    return switch (type) {
      case "float", "double" -> of(rules, RangeChecks::real, unsupported);
      case "uint32", "fixed32" -> of(rules, RangeChecks::unsigned32, unsupported);
      case "uint64", "fixed64" -> of(rules, RangeChecks::unsigned64, unsupported);
      case "duration", "timestamp" -> of(rules, SecondsAndNanos::of, unsupported);
      default -> of(rules, RangeChecks::signed, unsupported);
    };
  }

  private static <T extends Comparable<T>> List<Check> of(
      Message rules, Function<Object, T> comparable, Consumer<String> unsupported) {
    RangeChecks<T> range = new RangeChecks<>(rules, comparable);
    range.compile(unsupported);
    return List.copyOf(range.checks);
  }

  private static Double real(Object number) {
    return ((Number) number).doubleValue();
  }

  private static Long signed(Object number) {
    return ((Number) number).longValue();
  }

  private static Long unsigned32(Object number) {
    return Integer.toUnsignedLong((Integer) number);
  }

  private static BigInteger unsigned64(Object number) {
    return new BigInteger(Long.toUnsignedString((Long) number));
  }

  private void compile(Consumer<String> unsupported) {
    bounds();
    rules
        .getAllFields()
        .forEach(
            (rule, value) -> {
              switch (rule.getName()) {
                case "lt", "lte", "gt", "gte", "required", "ignore_empty" -> {}
                case "const" -> {
                  T only = comparable.apply(value);
                  add(only.toString(), actual -> actual.compareTo(only) == 0);
                }
                case "in" -> {
                  List<T> all = all(value);
                  add("one of " + text(all), actual -> contains(all, actual));
                }
                case "not_in" -> {
                  List<T> none = all(value);
                  add("none of " + text(none), actual -> !contains(none, actual));
                }
                default -> unsupported.accept(rule.getFullName());
              }
            });
  }

  private void bounds() {
    T above = rule("gt");
    T atLeast = rule("gte");
    T below = rule("lt");
    T atMost = rule("lte");
    Bound<T> low =
        above != null ? Bound.above(above) : atLeast != null ? Bound.from(atLeast) : null;
    Bound<T> high = below != null ? Bound.below(below) : atMost != null ? Bound.to(atMost) : null;
    if (low != null && high != null) {
      // Bounds that are crossed mean what lies outside of them.
      boolean crossed = low.limit().compareTo(high.limit()) > 0;
      if (crossed) {
        add(
            low.text() + ", or " + high.text(),
            actual -> low.holds().test(actual) || high.holds().test(actual));
      } else {
        add(
            low.text() + " and " + high.text(),
            actual -> low.holds().test(actual) && high.holds().test(actual));
      }
    } else if (low != null) {
      add(low.text(), low.holds());
    } else if (high != null) {
      add(high.text(), high.holds());
    }
  }

  private record Bound<T extends Comparable<T>>(T limit, String text, Predicate<T> holds) {
    static <T extends Comparable<T>> Bound<T> above(T limit) {
      return new Bound<>(limit, "more than " + limit, actual -> actual.compareTo(limit) > 0);
    }

    static <T extends Comparable<T>> Bound<T> from(T limit) {
      return new Bound<>(limit, "at least " + limit, actual -> actual.compareTo(limit) >= 0);
    }

    static <T extends Comparable<T>> Bound<T> below(T limit) {
      return new Bound<>(limit, "less than " + limit, actual -> actual.compareTo(limit) < 0);
    }

    static <T extends Comparable<T>> Bound<T> to(T limit) {
      return new Bound<>(limit, "at most " + limit, actual -> actual.compareTo(limit) <= 0);
    }
  }

  private @Nullable T rule(String name) {
    FieldDescriptor rule = rules.getDescriptorForType().findFieldByName(name);
    return rules.hasField(rule) ? comparable.apply(rules.getField(rule)) : null;
  }

  private void add(String expected, Predicate<T> holds) {
    checks.add(new Check(expected, value -> holds.test(comparable.apply(value))));
  }

  private List<T> all(Object values) {
    return ((List<?>) values).stream().<T>map(comparable).toList();
  }

  private static <T extends Comparable<T>> boolean contains(List<T> values, T actual) {
    return values.stream().anyMatch(value -> value.compareTo(actual) == 0);
  }

  private static String text(List<?> values) {
    return values.stream().map(Object::toString).collect(Collectors.joining(", "));
  }
}
