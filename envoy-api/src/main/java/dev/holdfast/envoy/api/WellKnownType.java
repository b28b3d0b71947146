// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Message;

/** The messages that have a form of their own in JSON. */
enum WellKnownType {
  ANY,
  DURATION,
  TIMESTAMP,
  FIELD_MASK,
  STRUCT,
  VALUE,
  LIST_VALUE,
  WRAPPER,
  /** Every other message. */
  NONE;

  private static final String PACKAGE = "google.protobuf.";

  static WellKnownType of(Descriptor type) {
    String name = type.getFullName();
    if (!name.startsWith(PACKAGE)) {
      return NONE;
    }
    return switch (name.substring(PACKAGE.length())) {
      case "Any" -> ANY;
      case "Duration" -> DURATION;
      case "Timestamp" -> TIMESTAMP;
      case "FieldMask" -> FIELD_MASK;
      case "Struct" -> STRUCT;
      case "Value" -> VALUE;
      case "ListValue" -> LIST_VALUE;
      case "BoolValue",
          "BytesValue",
          "DoubleValue",
          "FloatValue",
          "Int32Value",
          "Int64Value",
          "StringValue",
          "UInt32Value",
          "UInt64Value" ->
          WRAPPER;
      default -> NONE;
    };
  }

  /** What a wrapper wraps; of all else, the value itself. */
  static Object unwrap(Object value) {
    if (value instanceof Message message && of(message.getDescriptorForType()) == WRAPPER) {
      return message.getField(message.getDescriptorForType().findFieldByName("value"));
    }
    return value;
  }
}
