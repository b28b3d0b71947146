// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;

/** Values of messages in error texts. */
final class FieldValueText {
  private FieldValueText() {}

  static String of(Object value, FieldDescriptor field) {
    if (value instanceof String text) {
      return ErrorText.quote(text);
    }
    if (value instanceof ByteString bytes) {
      return bytes.size() + " bytes";
    }
    if (value instanceof EnumValueDescriptor enumValue) {
      return enumValue.getType().findValueByNumber(enumValue.getNumber()) == null
          ? String.valueOf(enumValue.getNumber())
          : enumValue.getName();
    }
    if (value instanceof Message message) {
      return message(message);
    }
    if (value instanceof Integer number && isUnsigned(field)) {
      return Integer.toUnsignedString(number);
    }
    if (value instanceof Long number && isUnsigned(field)) {
      return Long.toUnsignedString(number);
    }
    return value.toString();
  }

  private static String message(Message message) {
    return switch (WellKnownType.of(message.getDescriptorForType())) {
      case DURATION, TIMESTAMP -> SecondsAndNanos.of(message).toString();
      case ANY ->
          ErrorText.quote(
              (String)
                  message.getField(message.getDescriptorForType().findFieldByName("type_url")));
      default -> "a " + message.getDescriptorForType().getFullName();
    };
  }

  private static boolean isUnsigned(FieldDescriptor field) {
    FieldDescriptor actual =
        field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
                && WellKnownType.of(field.getMessageType()) == WellKnownType.WRAPPER
            ? field.getMessageType().findFieldByName("value")
            : field;
    return switch (actual.getType()) {
      case UINT32, UINT64, FIXED32, FIXED64 -> true;
      default -> false;
    };
  }

  /** Whether a value is the default of its type. */
  static boolean isEmpty(Object value) {
    return value instanceof String text
        ? text.isEmpty()
        : value instanceof ByteString bytes
            ? bytes.isEmpty()
            : value instanceof Number number && number.doubleValue() == 0;
  }
}
