// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A Struct in the form in which gRPC passes JSON around. */
final class StructJson {
  private StructJson() {}

  static Map<String, ?> object(Struct struct) {
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    struct.getFieldsMap().forEach((name, value) -> object.put(name, value(value)));
    return object;
  }

  private static @Nullable Object value(Value value) {
    return switch (value.getKindCase()) {
      case NUMBER_VALUE -> value.getNumberValue();
      case STRING_VALUE -> value.getStringValue();
      case BOOL_VALUE -> value.getBoolValue();
      case STRUCT_VALUE -> object(value.getStructValue());
      case LIST_VALUE -> {
        List<@Nullable Object> list = new ArrayList<>();
        value.getListValue().getValuesList().forEach(element -> list.add(value(element)));
        yield list;
      }
      case NULL_VALUE, KIND_NOT_SET -> null;
    };
  }
}
