// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Messages that have a form of their own in JSON. */
final class WellKnownReader {
  private final MessageReader messages;

  WellKnownReader(MessageReader messages) {
    this.messages = messages;
  }

  /** Null after a problem. */
  @Nullable Message read(Descriptor type, Value value, FieldPath at) {
    return switch (WellKnownType.of(type)) {
      case ANY -> new AnyReader(messages).read(type, value, at);
      case DURATION -> moment(type, TimeReader.duration(value, at));
      case TIMESTAMP -> moment(type, TimeReader.timestamp(value, at));
      case FIELD_MASK -> fieldMask(type, value, at);
      case WRAPPER -> {
        Object content = ScalarReader.read(field(type, "value"), value, at);
        yield content == null ? null : with(type, "value", content);
      }
      case STRUCT -> struct(type, value, at);
      case LIST_VALUE -> list(type, value, at);
      case VALUE -> value(type, value, at);
      case NONE -> throw new IllegalArgumentException(type.getFullName());
    };
  }

  private static FieldDescriptor field(Descriptor type, String name) {
    return Objects.requireNonNull(type.findFieldByName(name), name);
  }

  private static Message with(Descriptor type, String name, Object content) {
    return DynamicMessage.newBuilder(type).setField(field(type, name), content).build();
  }

  private static @Nullable Message moment(Descriptor type, @Nullable SecondsAndNanos moment) {
    if (moment == null) {
      return null;
    }
    return DynamicMessage.newBuilder(type)
        .setField(field(type, "seconds"), moment.seconds())
        .setField(field(type, "nanos"), moment.nanos())
        .build();
  }

  /** Paths with commas between them, their names in camel case: {@code user.displayName,photo}. */
  private static @Nullable Message fieldMask(Descriptor type, Value value, FieldPath at) {
    String text = ScalarReader.text(value, at);
    if (text == null) {
      return null;
    }
    List<String> paths = new ArrayList<>();
    for (String path : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      if (path.isEmpty() || path.indexOf('_') >= 0) {
        at.invalid(value, ErrorText.quote(path) + " (expected: paths such as user.displayName)");
        return null;
      }
      StringBuilder snake = new StringBuilder();
      path.chars()
          .forEach(
              c -> {
                if (c >= 'A' && c <= 'Z') {
                  snake.append('_').append((char) (c + ('a' - 'A')));
                } else {
                  snake.append((char) c);
                }
              });
      paths.add(snake.toString());
    }
    return with(type, "paths", paths);
  }

  private @Nullable Message struct(Descriptor type, Value value, FieldPath at) {
    if (!(value instanceof Mapping)) {
      at.wrongSort(value, "a mapping");
      return null;
    }
    DynamicMessage.Builder struct = DynamicMessage.newBuilder(type);
    messages.map(struct, field(type, "fields"), value, at);
    return struct.build();
  }

  private @Nullable Message list(Descriptor type, Value value, FieldPath at) {
    if (!(value instanceof Sequence sequence)) {
      at.wrongSort(value, "a sequence");
      return null;
    }
    FieldDescriptor values = field(type, "values");
    DynamicMessage.Builder list = DynamicMessage.newBuilder(type);
    for (int i = 0; i < sequence.elements().size(); i++) {
      Message element =
          messages.message(values.getMessageType(), sequence.elements().get(i), at.element(i));
      if (element != null) {
        list.addRepeatedField(values, element);
      }
    }
    return list.build();
  }

  private @Nullable Message value(Descriptor type, Value value, FieldPath at) {
    if (value instanceof Mapping) {
      return nested(type, "struct_value", value, at);
    }
    if (value instanceof Sequence) {
      return nested(type, "list_value", value, at);
    }
    Object content = ((Scalar) value).value();
    if (content == null) {
      FieldDescriptor nothing = field(type, "null_value");
      return with(type, "null_value", nothing.getEnumType().findValueByNumber(0));
    }
    if (content instanceof Boolean flag) {
      return with(type, "bool_value", flag);
    }
    if (content instanceof String) {
      String text = ScalarReader.text(value, at);
      return text == null ? null : with(type, "string_value", text);
    }
    Double number = ScalarReader.real(value, at);
    return number == null ? null : with(type, "number_value", number);
  }

  private @Nullable Message nested(Descriptor type, String name, Value value, FieldPath at) {
    Message content = messages.message(field(type, name).getMessageType(), value, at);
    return content == null ? null : with(type, name, content);
  }
}
