// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import dev.holdfast.config.Mapping;
import dev.holdfast.config.Position;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one mapping, taken out one by one with their problems noted. A field that is null
 * is as good as not written, as Kubernetes has it.
 */
record Fields(Mapping mapping, FieldPath place, ProblemCollector findings) {

  /** Finds what is wrong with a text; null if nothing is. */
  @FunctionalInterface
  interface Rule extends Function<String, @Nullable String> {}

  /** The value of a field; null if it is not written. */
  @Nullable Value value(String name) {
    Value value = mapping.get(name);
    return value instanceof Scalar scalar && scalar.value() == null ? null : value;
  }

  /** A string that must be there; null, with the problem noted, if it is not. */
  @Nullable String requiredString(String name, Rule rule) {
    if (value(name) == null) {
      findings.required(place.field(name), mapping.keyPosition(name), "missing");
      return null;
    }
    return string(name, rule);
  }

  /** A string that may be there; null if it is not, or if it is wrong and that is noted. */
  @Nullable String string(String name, Rule rule) {
    Value value = value(name);
    if (value == null) {
      return null;
    }
    return string(value, place.field(name), rule);
  }

  private @Nullable String string(Value value, FieldPath at, Rule rule) {
    if (!(value instanceof Scalar scalar && scalar.value() instanceof String text)) {
      findings.invalid(at, value.position(), describe(value) + " (expected: a string)");
      return null;
    }
    String problem = rule.apply(text);
    if (problem != null) {
      findings.invalid(at, value.position(), problem);
      return null;
    }
    return text;
  }

  /** Strings by name; empty if the field is not there or is wrong. */
  SortedMap<String, String> strings(String name, Rule keys, Rule values) {
    SortedMap<String, String> strings = new TreeMap<>();
    Value value = value(name);
    FieldPath at = place.field(name);
    if (value instanceof Mapping entries) {
      entries
          .fields()
          .forEach(
              (key, entry) -> {
                Position where = entries.keyPosition(key);
                String problem = keys.apply(key);
                if (problem != null) {
                  findings.invalid(at.field(key), where, problem);
                }
                String text = string(entry, at.field(key), values);
                if (text != null) {
                  strings.put(key, text);
                }
              });
    } else if (value != null) {
      findings.invalid(
          at, value.position(), describe(value) + " (expected: a mapping of strings to strings)");
    }
    return strings;
  }

  /** What sort of thing was written, with the value of one that is easily taken for a string. */
  static String describe(@Nullable Value value) {
    if (value == null) {
      return "missing";
    }
    if (value instanceof Mapping) {
      return "a mapping";
    }
    if (value instanceof Sequence) {
      return "a list";
    }
    Object scalar = ((Scalar) value).value();
    if (scalar == null) {
      return "null";
    }
    if (scalar instanceof String) {
      return "a string";
    }
    return (scalar instanceof Boolean ? "the boolean " : "the number ")
        + scalar
        + ", not in quotes";
  }
}
