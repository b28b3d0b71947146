// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of a field.
 *
 * @param own of a single value; of a list or map only whether it may be empty
 * @param whole of a list or map as a whole
 * @param keys of the keys of a map
 * @param elements of the elements of a list, or of the values of a map
 * @param disallowed whether Envoy refuses any use of the field
 * @param sensitive whether its value is not to be shown
 */
record FieldRules(
    FieldDescriptor field,
    ValueRules own,
    List<Check> whole,
    ValueRules keys,
    ValueRules elements,
    boolean disallowed,
    boolean sensitive) {

  static FieldRules of(FieldDescriptor field, Consumer<String> unsupported) {
    Message rules = ApiAnnotations.rules(field);
    List<Check> whole = new ArrayList<>();
    ValueRules keys = ValueRules.NONE;
    ValueRules elements = ValueRules.NONE;
    Message many = rules == null ? null : sub(rules, field.isMapField() ? "map" : "repeated");
    if (many != null) {
      whole(many, whole, unsupported);
      if (field.isMapField()) {
        keys = ValueRules.of(sub(many, "keys"), entry(field, "key"), unsupported);
        elements = ValueRules.of(sub(many, "values"), entry(field, "value"), unsupported);
      } else {
        elements = ValueRules.of(sub(many, "items"), field, unsupported);
      }
    }
    return new FieldRules(
        field,
        ValueRules.of(rules, field, unsupported),
        List.copyOf(whole),
        keys,
        elements,
        ApiAnnotations.isDisallowed(field),
        ApiAnnotations.isSensitive(field));
  }

  /** Whether its values, or its elements, have to be looked at. */
  boolean hasChecks() {
    return field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
        || !own.checks().isEmpty()
        || !elements.checks().isEmpty();
  }

  static FieldDescriptor entry(FieldDescriptor map, String part) {
    return map.getMessageType().findFieldByName(part);
  }

  private static @Nullable Message sub(Message rules, String name) {
    FieldDescriptor field = rules.getDescriptorForType().findFieldByName(name);
    return rules.hasField(field) ? (Message) rules.getField(field) : null;
  }

  private static void whole(Message rules, List<Check> checks, Consumer<String> unsupported) {
    rules
        .getAllFields()
        .forEach(
            (rule, value) -> {
              switch (rule.getName()) {
                case "items", "keys", "values", "ignore_empty" -> {}
                case "min_items", "min_pairs" ->
                    checks.add(new Check("at least " + value, all -> size(all) >= (Long) value));
                case "max_items", "max_pairs" ->
                    checks.add(new Check("at most " + value, all -> size(all) <= (Long) value));
                case "unique" -> {
                  if ((Boolean) value) {
                    checks.add(
                        new Check(
                            "no element twice",
                            all -> new HashSet<>((List<?>) all).size() == size(all)));
                  }
                }
                case "no_sparse" -> {} // a map of messages cannot hold an absent one
                default -> unsupported.accept(rule.getFullName());
              }
            });
  }

  private static long size(Object all) {
    return ((List<?>) all).size();
  }
}
