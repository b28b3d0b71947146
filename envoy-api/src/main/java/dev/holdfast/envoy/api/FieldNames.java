// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.holdfast.base.NearestName;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The fields of messages by both of their names: {@code inline_code} and {@code inlineCode}. */
final class FieldNames {
  private static final Map<Descriptor, Map<String, FieldDescriptor>> KNOWN =
      new ConcurrentHashMap<>();

  private FieldNames() {}

  static @Nullable FieldDescriptor find(Descriptor type, String name) {
    return KNOWN.computeIfAbsent(type, FieldNames::index).get(name);
  }

  /** What to say of a name that is not one of the type's. */
  static String unknown(Descriptor type, String name) {
    String near = NearestName.of(name, KNOWN.computeIfAbsent(type, FieldNames::index).keySet());
    if (near != null) {
      return "unknown field (did you mean " + near + "?)";
    }
    return type.getFields().isEmpty()
        ? "unknown field (expected: no fields in " + type.getFullName() + ")"
        : "unknown field (expected: one of "
            + ErrorText.list(type.getFields(), FieldDescriptor::getName)
            + ")";
  }

  private static Map<String, FieldDescriptor> index(Descriptor type) {
    Map<String, FieldDescriptor> fields = new HashMap<>();
    type.getFields().forEach(field -> fields.put(field.getJsonName(), field));
    type.getFields().forEach(field -> fields.put(field.getName(), field));
    return fields;
  }
}
