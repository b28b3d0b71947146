// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import com.google.protobuf.Any;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;
import com.google.protobuf.Message;
import io.envoyproxy.pgv.validate.Validate;
import io.envoyproxy.pgv.validate.Validate.FieldRules;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The constraints that Envoy's API carries in its descriptors, as far as its resources use them.
 * Like Envoy it stops at the first that is broken and does not look into an {@code Any}.
 */
final class Constraints {
  private static final String NESTED = "embedded message failed validation | caused by ";

  private Constraints() {}

  /** The first broken constraint, in the words of Envoy's validators; null if there is none. */
  static @Nullable String check(Message message) {
    if (message instanceof Any) {
      return null;
    }
    for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
      if (field.getContainingOneof() != null && !message.hasField(field)) {
        continue;
      }
      Problem problem = field(message, field);
      if (problem != null) {
        return at(message, camelCase(field.getName()) + problem.index) + problem.text;
      }
    }
    for (OneofDescriptor oneof : message.getDescriptorForType().getRealOneofs()) {
      if (oneof.getOptions().getExtension(Validate.required) && !message.hasOneof(oneof)) {
        return at(message, camelCase(oneof.getName())) + "value is required";
      }
    }
    return null;
  }

  private static @Nullable Problem field(Message message, FieldDescriptor field) {
    FieldRules rules = field.getOptions().getExtension(Validate.rules);
    Object value = message.getField(field);
    if (field.isMapField()) {
      return null;
    }
    if (field.isRepeated()) {
      return repeated((List<?>) value, rules);
    }
    if (field.getJavaType() != FieldDescriptor.JavaType.MESSAGE) {
      return Problem.of("", RuleCheck.scalar(value, rules));
    }
    if (!message.hasField(field)) {
      boolean required =
          rules.getMessage().getRequired()
              || rules.getDuration().getRequired()
              || rules.getAny().getRequired();
      return required ? new Problem("", "value is required") : null;
    }
    return Problem.of("", nested((Message) value, rules));
  }

  private static @Nullable String nested(Message value, FieldRules rules) {
    String own = RuleCheck.wrapped(value, rules);
    if (own != null || rules.getMessage().getSkip()) {
      return own;
    }
    String problem = check(value);
    return problem == null ? null : NESTED + problem;
  }

  private static @Nullable Problem repeated(List<?> values, FieldRules rules) {
    var repeated = rules.getRepeated();
    if (repeated.hasMinItems() && values.size() < repeated.getMinItems()) {
      return new Problem("", "value must contain at least " + repeated.getMinItems() + " item(s)");
    }
    if (repeated.hasMaxItems() && values.size() > repeated.getMaxItems()) {
      return new Problem(
          "", "value must contain no more than " + repeated.getMaxItems() + " item(s)");
    }
    Set<Object> seen = new HashSet<>();
    for (int i = 0; i < values.size(); i++) {
      Object value = values.get(i);
      String problem =
          repeated.getUnique() && !seen.add(value)
              ? "repeated value must contain unique items"
              : value instanceof Message message
                  ? nested(message, repeated.getItems())
                  : RuleCheck.scalar(value, repeated.getItems());
      if (problem != null) {
        return new Problem("[" + i + "]", problem);
      }
    }
    return null;
  }

  /**
   * What is wrong with a field.
   *
   * @param index which of several values it is: {@code [0]}
   * @param text the rule that it breaks
   */
  private record Problem(String index, String text) {
    static @Nullable Problem of(String index, @Nullable String text) {
      return text == null ? null : new Problem(index, text);
    }
  }

  private static String at(Message message, String field) {
    return message.getDescriptorForType().getName() + "ValidationError." + field + ": ";
  }

  private static String camelCase(String name) {
    StringBuilder result = new StringBuilder();
    for (String part : name.split("_", -1)) {
      if (!part.isEmpty()) {
        result.append(Character.toUpperCase(part.charAt(0))).append(part.substring(1));
      }
    }
    return result.toString();
  }
}
