// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import com.google.protobuf.BoolValue;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Duration;
import com.google.protobuf.Message;
import com.google.protobuf.util.Durations;
import io.envoyproxy.pgv.validate.Validate.FieldRules;
import io.envoyproxy.pgv.validate.Validate.KnownRegex;
import io.envoyproxy.pgv.validate.Validate.StringRules;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One value against the rules of its field. */
final class RuleCheck {
  private static final Pattern HEADER_NAME = Pattern.compile("^:?[0-9a-zA-Z!#$%&'*+\\-.^_|~`]+$");
  private static final Pattern STRICT_CONTROL = Pattern.compile("[\\x00-\\x08\\x0A-\\x1F\\x7F]");
  private static final Pattern LOOSE_CONTROL = Pattern.compile("[\\x00\\x0A\\x0D]");

  private RuleCheck() {}

  static @Nullable String scalar(Object value, FieldRules rules) {
    if (value instanceof String text) {
      return string(text, rules.getString());
    }
    if (value instanceof EnumValueDescriptor constant) {
      if (rules.getEnum().getDefinedOnly() && constant.getIndex() < 0) {
        return "value must be one of the defined enum values";
      }
      return rules.getEnum().getNotInList().contains(constant.getNumber())
          ? "value must not be in list " + rules.getEnum().getNotInList()
          : null;
    }
    if (value instanceof ByteString bytes) {
      return bytes.size() < rules.getBytes().getMinLen()
          ? "value length must be at least " + rules.getBytes().getMinLen() + " bytes"
          : null;
    }
    if (value instanceof Number number) {
      return number(number.doubleValue(), rules);
    }
    return null;
  }

  /** A message that stands for a value: a wrapper or a duration. */
  static @Nullable String wrapped(Message value, FieldRules rules) {
    if (value instanceof Duration duration) {
      double seconds = duration.getSeconds() + duration.getNanos() / 1e9;
      return bounds(seconds, rules.getDuration());
    }
    if (value instanceof BoolValue bool) {
      return rules.getBool().hasConst() && rules.getBool().getConst() != bool.getValue()
          ? "value must equal " + rules.getBool().getConst()
          : null;
    }
    if (value.getDescriptorForType().getFile().getFullName().endsWith("wrappers.proto")) {
      return scalar(value.getField(value.getDescriptorForType().findFieldByNumber(1)), rules);
    }
    return null;
  }

  private static @Nullable String string(String text, StringRules rules) {
    if (rules.getIgnoreEmpty() && text.isEmpty()) {
      return null;
    }
    if (text.codePointCount(0, text.length()) < rules.getMinLen()) {
      return "value length must be at least " + rules.getMinLen() + " characters";
    }
    if (rules.hasMaxBytes() && text.getBytes(StandardCharsets.UTF_8).length > rules.getMaxBytes()) {
      return "value length must be at most " + rules.getMaxBytes() + " bytes";
    }
    if (rules.hasPrefix() && !text.startsWith(rules.getPrefix())) {
      return "value does not have prefix \"" + rules.getPrefix() + "\"";
    }
    if (rules.getInCount() > 0 && !rules.getInList().contains(text)) {
      return "value must be in list " + rules.getInList();
    }
    return knownRegex(text, rules);
  }

  private static @Nullable String knownRegex(String text, StringRules rules) {
    boolean strict = !rules.hasStrict() || rules.getStrict();
    KnownRegex kind = rules.getWellKnownRegex();
    boolean wrong =
        switch (kind) {
          case HTTP_HEADER_NAME ->
              strict ? !HEADER_NAME.matcher(text).matches() : LOOSE_CONTROL.matcher(text).find();
          case HTTP_HEADER_VALUE -> (strict ? STRICT_CONTROL : LOOSE_CONTROL).matcher(text).find();
          default -> false;
        };
    return wrong ? "value does not match regex pattern" : null;
  }

  private static @Nullable String number(double value, FieldRules rules) {
    for (Map.Entry<FieldDescriptor, Object> entry : rules.getAllFields().entrySet()) {
      if (entry.getValue() instanceof Message kind && !entry.getKey().getName().equals("message")) {
        return bounds(value, kind);
      }
    }
    return null;
  }

  /** The bounds have the same names for all kinds of numbers. */
  private static @Nullable String bounds(double value, Message rules) {
    for (Map.Entry<FieldDescriptor, Object> entry : rules.getAllFields().entrySet()) {
      String problem =
          entry.getValue() instanceof List<?>
              ? null
              : bound(value, entry.getKey().getName(), entry.getValue());
      if (problem != null) {
        return problem;
      }
    }
    return null;
  }

  private static @Nullable String bound(double value, String rule, Object limit) {
    double bound =
        limit instanceof Duration duration
            ? duration.getSeconds() + duration.getNanos() / 1e9
            : limit instanceof Number number ? number.doubleValue() : Double.NaN;
    String shown =
        limit instanceof Duration duration ? Durations.toString(duration) : String.valueOf(limit);
    return switch (rule) {
      case "gt" -> value > bound ? null : "value must be greater than " + shown;
      case "gte" -> value >= bound ? null : "value must be greater than or equal to " + shown;
      case "lt" -> value < bound ? null : "value must be less than " + shown;
      case "lte" -> value <= bound ? null : "value must be less than or equal to " + shown;
      default -> null;
    };
  }
}
