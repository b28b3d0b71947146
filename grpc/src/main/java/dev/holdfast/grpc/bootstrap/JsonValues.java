// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.bootstrap;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.protobuf.ListValue;
import com.google.protobuf.NullValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON in the shapes that others want it in. */
final class JsonValues {
  private JsonValues() {}

  /** Maps, lists, strings, doubles and booleans; what is null is left out. */
  static Map<String, Object> toMap(JsonObject object) {
    Map<String, Object> map = new LinkedHashMap<>();
    object
        .entrySet()
        .forEach(
            entry -> {
              if (!entry.getValue().isJsonNull()) {
                map.put(entry.getKey(), toJava(entry.getValue()));
              }
            });
    return map;
  }

  private static Object toJava(JsonElement element) {
    if (element instanceof JsonObject object) {
      return toMap(object);
    }
    if (element instanceof JsonArray array) {
      List<Object> list = new ArrayList<>();
      array.forEach(
          item -> {
            if (!item.isJsonNull()) {
              list.add(toJava(item));
            }
          });
      return list;
    }
    JsonPrimitive primitive = element.getAsJsonPrimitive();
    if (primitive.isBoolean()) {
      return primitive.getAsBoolean();
    }
    return primitive.isNumber() ? (Object) primitive.getAsDouble() : primitive.getAsString();
  }

  static Struct toStruct(JsonObject object) {
    Struct.Builder struct = Struct.newBuilder();
    object.entrySet().forEach(e -> struct.putFields(e.getKey(), toValue(e.getValue())));
    return struct.build();
  }

  private static Value toValue(JsonElement element) {
    Value.Builder value = Value.newBuilder();
    if (element instanceof JsonObject object) {
      value.setStructValue(toStruct(object));
    } else if (element instanceof JsonArray array) {
      ListValue.Builder list = ListValue.newBuilder();
      array.forEach(item -> list.addValues(toValue(item)));
      value.setListValue(list);
    } else if (element instanceof JsonPrimitive primitive) {
      if (primitive.isBoolean()) {
        value.setBoolValue(primitive.getAsBoolean());
      } else if (primitive.isNumber()) {
        value.setNumberValue(primitive.getAsDouble());
      } else {
        value.setStringValue(primitive.getAsString());
      }
    } else {
      value.setNullValue(NullValue.NULL_VALUE);
    }
    return value.build();
  }
}
