// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.re2j.Pattern;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The rules of strings. */
final class TextChecks {
  private TextChecks() {}

  static List<Check> of(Message rules, Consumer<String> unsupported) {
    List<Check> checks = new ArrayList<>();
    rules
        .getAllFields()
        .forEach(
            (rule, value) -> {
              switch (rule.getName()) {
                case "ignore_empty", "strict" -> {}
                case "const" -> add(checks, ErrorText.quote((String) value), value::equals);
                case "len", "min_len", "max_len", "len_bytes", "min_bytes", "max_bytes" ->
                    checks.add(length(rule.getName(), (Long) value));
                case "pattern" -> checks.add(pattern((String) value));
                case "prefix" ->
                    add(
                        checks,
                        "a text that starts with " + ErrorText.quote((String) value),
                        text -> text.startsWith((String) value));
                case "suffix" ->
                    add(
                        checks,
                        "a text that ends with " + ErrorText.quote((String) value),
                        text -> text.endsWith((String) value));
                case "contains" ->
                    add(
                        checks,
                        "a text with " + ErrorText.quote((String) value) + " in it",
                        text -> text.contains((String) value));
                case "not_contains" ->
                    add(
                        checks,
                        "a text without " + ErrorText.quote((String) value),
                        text -> !text.contains((String) value));
                case "in" -> {
                  Set<String> all = texts(value);
                  add(checks, "one of " + quoted(value), all::contains);
                }
                case "not_in" -> {
                  Set<String> none = texts(value);
                  add(checks, "none of " + quoted(value), text -> !none.contains(text));
                }
                case "well_known_regex" ->
                    checks.add(header(((EnumValueDescriptor) value).getName(), isStrict(rules)));
                default -> {
                  Check known = FormatChecks.named(rule.getName());
                  if (known == null) {
                    unsupported.accept(rule.getFullName());
                  } else if ((Boolean) value) {
                    checks.add(known);
                  }
                }
              }
            });
    return List.copyOf(checks);
  }

  private static void add(List<Check> checks, String expected, Predicate<String> holds) {
    checks.add(text(expected, holds));
  }

  static Check text(String expected, Predicate<String> holds) {
    return new Check(expected, value -> holds.test((String) value));
  }

  private static Check length(String rule, long limit) {
    boolean bytes = rule.endsWith("_bytes");
    String unit = bytes ? " bytes" : limit == 1 ? " character" : " characters";
    if (rule.startsWith("min")) {
      return text("at least " + limit + unit, text -> length(text, bytes) >= limit);
    }
    if (rule.startsWith("max")) {
      return text("at most " + limit + unit, text -> length(text, bytes) <= limit);
    }
    return text(limit + unit, text -> length(text, bytes) == limit);
  }

  private static long length(String text, boolean bytes) {
    return bytes
        ? text.getBytes(StandardCharsets.UTF_8).length
        : text.codePointCount(0, text.length());
  }

  /** The whole text must match: Envoy's generated checks ask for that. */
  private static Check pattern(String pattern) {
    Pattern compiled = Pattern.compile(pattern);
    return text("a text like " + pattern, compiled::matches);
  }

  private static Check header(String kind, boolean strict) {
    return kind.equals("HTTP_HEADER_NAME")
        ? FormatChecks.headerName(strict)
        : kind.equals("HTTP_HEADER_VALUE")
            ? FormatChecks.headerValue(strict)
            : text("any text", text -> true);
  }

  private static boolean isStrict(Message rules) {
    FieldDescriptor strict = rules.getDescriptorForType().findFieldByName("strict");
    return (Boolean) rules.getField(strict);
  }

  private static Set<String> texts(Object values) {
    return ((List<?>) values).stream().map(String.class::cast).collect(Collectors.toSet());
  }

  private static String quoted(Object values) {
    return ((List<?>) values)
        .stream().map(text -> ErrorText.quote((String) text)).collect(Collectors.joining(", "));
  }
}
