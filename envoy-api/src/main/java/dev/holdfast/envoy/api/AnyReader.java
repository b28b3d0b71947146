// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.Value;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A message of any type, which says with {@code "@type"} what it is. */
final class AnyReader {
  static final String TYPE = "@type";
  private static final String VALUE = "value";

  private final MessageReader messages;

  AnyReader(MessageReader messages) {
    this.messages = messages;
  }

  /** The Any as a message of the given type; null after a problem. */
  @Nullable Message read(Descriptor any, Value value, FieldPath at) {
    Message content = content(value, at);
    if (content == null) {
      return null;
    }
    return DynamicMessage.newBuilder(any)
        .setField(
            any.findFieldByName("type_url"),
            EnvoyTypes.url(content.getDescriptorForType().getFullName()))
        .setField(any.findFieldByName("value"), content.toByteString())
        .build();
  }

  /** The message inside; null after a problem. */
  @Nullable Message content(Value value, FieldPath at) {
    if (!(value instanceof Mapping mapping)) {
      at.wrongSort(value, "a mapping with " + TYPE);
      return null;
    }
    Value url = mapping.get(TYPE);
    if (url == null || ScalarReader.isNull(url)) {
      at.field(TYPE)
          .missing(
              mapping.position(),
              "missing (expected: a type URL such as " + EnvoyTypes.url("NAME") + ")");
      return null;
    }
    Descriptor type = type(url, at.field(TYPE));
    if (type == null) {
      return null;
    }
    if (WellKnownType.of(type) == WellKnownType.NONE) {
      return messages.fields(type, mapping, Set.of(TYPE), at);
    }
    return special(type, mapping, at);
  }

  private @Nullable Descriptor type(Value value, FieldPath at) {
    String url = ScalarReader.text(value, at);
    if (url == null) {
      return null;
    }
    String name = EnvoyTypes.nameOf(url);
    if (name == null) {
      String bare = url.substring(url.lastIndexOf('/') + 1);
      String meant = messages.types().find(bare) == null ? "NAME" : bare;
      at.invalid(value, ErrorText.quote(url) + " (expected: " + EnvoyTypes.url(meant) + ")");
      return null;
    }
    Descriptor type = messages.types().find(name);
    if (type == null) {
      String near = messages.types().nearest(name);
      at.invalid(
          value,
          ErrorText.quote(url)
              + " is not a type of Envoy's API"
              + (near == null
                  ? " (expected: a type of API version 3)"
                  : " (did you mean " + EnvoyTypes.url(near) + "?)"));
    }
    return type;
  }

  /** What is not a mapping in JSON stands in a field "value". */
  private @Nullable Message special(Descriptor type, Mapping mapping, FieldPath at) {
    mapping
        .fields()
        .keySet()
        .forEach(
            name -> {
              if (!name.equals(TYPE) && !name.equals(VALUE)) {
                at.field(name)
                    .invalid(mapping.keyPosition(name), "unknown field (expected: value)");
              }
            });
    Value content = mapping.get(VALUE);
    if (content == null) {
      at.field(VALUE).missing(mapping.position(), "missing");
      return null;
    }
    return messages.message(type, content, at.field(VALUE));
  }
}
