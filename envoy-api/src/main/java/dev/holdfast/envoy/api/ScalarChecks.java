// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Message;
import com.google.re2j.Pattern;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The rules of booleans, enums, bytes and Anys. */
final class ScalarChecks {
  private ScalarChecks() {}

  static List<Check> ofBool(Message rules, Consumer<String> unsupported) {
    List<Check> checks = new ArrayList<>();
    rules
        .getAllFields()
        .forEach(
            (rule, value) -> {
              if (rule.getName().equals("const")) {
                checks.add(new Check(value.toString(), value::equals));
              } else {
                unsupported.accept(rule.getFullName());
              }
            });
    return List.copyOf(checks);
  }

  static List<Check> ofEnum(Message rules, EnumDescriptor type, Consumer<String> unsupported) {
    List<Check> checks = new ArrayList<>();
    rules
        .getAllFields()
        .forEach(
            (rule, value) -> {
              switch (rule.getName()) {
                case "const" ->
                    checks.add(number(name(type, value), number -> value.equals(number)));
                case "defined_only" -> {
                  if ((Boolean) value) {
                    checks.add(
                        number(
                            "one of "
                                + ErrorText.list(type.getValues(), EnumValueDescriptor::getName),
                            number -> type.findValueByNumber(number) != null));
                  }
                }
                case "in" ->
                    checks.add(number("one of " + names(type, value), numbers(value)::contains));
                case "not_in" -> {
                  Set<Object> none = numbers(value);
                  checks.add(
                      number("none of " + names(type, value), number -> !none.contains(number)));
                }
                default -> unsupported.accept(rule.getFullName());
              }
            });
    return List.copyOf(checks);
  }

  private static Check number(String expected, Predicate<Integer> holds) {
    return new Check(expected, value -> holds.test(((EnumValueDescriptor) value).getNumber()));
  }

  private static Set<Object> numbers(Object values) {
    return Set.copyOf((List<?>) values);
  }

  private static String names(EnumDescriptor type, Object values) {
    return ((List<?>) values)
        .stream().map(value -> name(type, value)).collect(Collectors.joining(", "));
  }

  private static String name(EnumDescriptor type, Object number) {
    EnumValueDescriptor value = type.findValueByNumber((Integer) number);
    return value == null ? number.toString() : value.getName();
  }

  static List<Check> ofAny(Message rules, Consumer<String> unsupported) {
    List<Check> checks = new ArrayList<>();
    rules
        .getAllFields()
        .forEach(
            (rule, value) -> {
              switch (rule.getName()) {
                case "required" -> {}
                case "in" ->
                    checks.add(
                        new Check("one of " + value, any -> ((List<?>) value).contains(url(any))));
                case "not_in" ->
                    checks.add(
                        new Check(
                            "none of " + value, any -> !((List<?>) value).contains(url(any))));
                default -> unsupported.accept(rule.getFullName());
              }
            });
    return List.copyOf(checks);
  }

  private static Object url(Object any) {
    Message message = (Message) any;
    return message.getField(message.getDescriptorForType().findFieldByName("type_url"));
  }

  static List<Check> ofBytes(Message rules, Consumer<String> unsupported) {
    List<Check> checks = new ArrayList<>();
    rules
        .getAllFields()
        .forEach(
            (rule, value) -> {
              switch (rule.getName()) {
                case "ignore_empty" -> {}
                case "const" -> add(checks, "exactly the bytes of the rule", value::equals);
                case "len" -> add(checks, value + " bytes", bytes -> bytes.size() == (Long) value);
                case "min_len" ->
                    add(
                        checks,
                        "at least " + value + " bytes",
                        bytes -> bytes.size() >= (Long) value);
                case "max_len" ->
                    add(
                        checks,
                        "at most " + value + " bytes",
                        bytes -> bytes.size() <= (Long) value);
                case "prefix" ->
                    add(
                        checks,
                        "bytes that start as the rule says",
                        bytes -> bytes.startsWith((ByteString) value));
                case "suffix" ->
                    add(
                        checks,
                        "bytes that end as the rule says",
                        bytes -> bytes.endsWith((ByteString) value));
                case "contains" ->
                    add(
                        checks,
                        "bytes that hold those of the rule",
                        bytes -> latin(bytes).contains(latin((ByteString) value)));
                case "pattern" -> {
                  Pattern pattern = Pattern.compile((String) value);
                  add(checks, "bytes like " + value, bytes -> pattern.matches(latin(bytes)));
                }
                case "in" ->
                    add(checks, "one of the values of the rule", ((List<?>) value)::contains);
                case "not_in" ->
                    add(
                        checks,
                        "none of the values of the rule",
                        bytes -> !((List<?>) value).contains(bytes));
                case "ip" ->
                    add(checks, "4 or 16 bytes", bytes -> bytes.size() == 4 || bytes.size() == 16);
                case "ipv4" -> add(checks, "4 bytes", bytes -> bytes.size() == 4);
                case "ipv6" -> add(checks, "16 bytes", bytes -> bytes.size() == 16);
                default -> unsupported.accept(rule.getFullName());
              }
            });
    return List.copyOf(checks);
  }

  private static void add(List<Check> checks, String expected, Predicate<ByteString> holds) {
    checks.add(new Check(expected, value -> holds.test((ByteString) value)));
  }

  private static String latin(ByteString bytes) {
    return bytes.toString(StandardCharsets.ISO_8859_1);
  }
}
