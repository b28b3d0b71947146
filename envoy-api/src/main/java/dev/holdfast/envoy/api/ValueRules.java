// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of one value: of a field, an element of a list, a key or a value of a map.
 *
 * @param required whether it must be there
 * @param skip whether what is inside of a message is not checked
 * @param ignoreEmpty whether the checks are only for values other than the default
 * @param checks for what a wrapper wraps, if it is one
 */
record ValueRules(boolean required, boolean skip, boolean ignoreEmpty, List<Check> checks) {
  static final ValueRules NONE = new ValueRules(false, false, false, List.of());

  /**
   * @param rules a {@code validate.FieldRules}; null for none
   * @param field whose value, or whose elements, the rules are for
   * @param unsupported is told of rules that cannot be checked
   */
  static ValueRules of(
      @Nullable Message rules, FieldDescriptor field, Consumer<String> unsupported) {
    if (rules == null) {
      return NONE;
    }
    boolean required = false;
    boolean skip = false;
    boolean ignoreEmpty = false;
    List<Check> checks = List.of();
    for (Map.Entry<FieldDescriptor, Object> entry : rules.getAllFields().entrySet()) {
      Message rule = (Message) entry.getValue();
      if (entry.getKey().getName().equals("message")) {
        skip = flag(rule, "skip");
      } else {
        checks = checks(entry.getKey().getName(), rule, field, unsupported);
        ignoreEmpty = flag(rule, "ignore_empty");
      }
      required |= flag(rule, "required");
    }
    return new ValueRules(required, skip, ignoreEmpty, checks);
  }

  private static List<Check> checks(
      String type, Message rule, FieldDescriptor field, Consumer<String> unsupported) {
    return switch (type) {
      case "string" -> TextChecks.of(rule, unsupported);
      case "bytes" -> ScalarChecks.ofBytes(rule, unsupported);
      case "bool" -> ScalarChecks.ofBool(rule, unsupported);
      case "enum" -> ScalarChecks.ofEnum(rule, field.getEnumType(), unsupported);
      case "any" -> ScalarChecks.ofAny(rule, unsupported);
      case "repeated", "map" -> List.of(); // of the field as a whole: FieldRules
      default -> RangeChecks.of(type, rule, unsupported);
    };
  }

  static boolean flag(Message rule, String name) {
    FieldDescriptor flag = rule.getDescriptorForType().findFieldByName(name);
    return flag != null && (Boolean) rule.getField(flag);
  }
}
