// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The annotations of Envoy's API that matter to its readers. They are read from the bytes of the
 * options, because descriptors of generated classes know them as extensions and loaded ones do not.
 */
final class ApiAnnotations {
  // validate/validate.proto
  private static final int RULES = 1071;
  private static final int ONEOF_REQUIRED = 1071;
  private static final int DISABLED = 1071;
  private static final int IGNORED = 1072;
  // envoy/annotations/deprecation.proto
  private static final int DISALLOWED = 189503207;
  private static final int DISALLOWED_ENUM = 70100853;
  // udpa/annotations/sensitive.proto
  private static final int SENSITIVE = 76569463;

  private ApiAnnotations() {}

  /** The {@code validate.rules} of a field; null if it has none. */
  static @Nullable Message rules(FieldDescriptor field) {
    List<ByteString> parts = field(field.getOptions(), RULES).getLengthDelimitedList();
    if (parts.isEmpty()) {
      return null;
    }
    try {
      return DynamicMessage.parseFrom(FieldRulesType.DESCRIPTOR, ByteString.copyFrom(parts));
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(field.getFullName() + ": its rules cannot be read", e);
    }
  }

  static boolean isRequired(OneofDescriptor oneof) {
    return flag(oneof.getOptions(), ONEOF_REQUIRED);
  }

  /** Whether nothing below this message is checked. */
  static boolean isUnchecked(Descriptor message) {
    return flag(message.getOptions(), DISABLED) || flag(message.getOptions(), IGNORED);
  }

  /** Whether Envoy refuses the field unless its operator has overridden that. */
  static boolean isDisallowed(FieldDescriptor field) {
    return field.getOptions().getDeprecated() && flag(field.getOptions(), DISALLOWED);
  }

  /** Whether Envoy refuses the value unless its operator has overridden that. */
  static boolean isDisallowed(EnumValueDescriptor value) {
    return value.getOptions().getDeprecated() && flag(value.getOptions(), DISALLOWED_ENUM);
  }

  /** Whether the value must not be shown to anybody. */
  static boolean isSensitive(FieldDescriptor field) {
    return flag(field.getOptions(), SENSITIVE);
  }

  private static boolean flag(Message options, int number) {
    List<Long> values = field(options, number).getVarintList();
    return !values.isEmpty() && values.get(values.size() - 1) != 0;
  }

  private static UnknownFieldSet.Field field(Message options, int number) {
    try {
      return UnknownFieldSet.parseFrom(options.toByteString()).getField(number);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("options cannot be read", e);
    }
  }

  private static final class FieldRulesType {
    static final Descriptor DESCRIPTOR =
        Objects.requireNonNull(EnvoyTypes.get().find("validate.FieldRules"));
  }
}
