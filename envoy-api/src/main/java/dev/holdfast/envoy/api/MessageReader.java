// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Messages of any type from what people write, by the JSON mapping of Protocol Buffers. Fields go
 * by either of their names; null is as good as absent. A value that is wrong is left out and
 * reported, so that all problems are found at once.
 */
final class MessageReader {
  /** The parsers of Envoy, and of everybody else, go no deeper. */
  private static final int DEEPEST = 100;

  private final EnvoyTypes types;

  MessageReader(EnvoyTypes types) {
    this.types = types;
  }

  EnvoyTypes types() {
    return types;
  }

  /** A message, inside of what the spot says; null after a problem. */
  @Nullable Message message(Descriptor type, Value value, FieldPath outside) {
    FieldPath at = outside.inside(1);
    if (!at.findings().take(value, at) || !isShallow(value, at)) {
      return null;
    }
    if (WellKnownType.of(type) != WellKnownType.NONE) {
      return new WellKnownReader(this).read(type, value, at);
    }
    if (!(value instanceof Mapping mapping)) {
      at.wrongSort(value, "a mapping: " + type.getFullName());
      return null;
    }
    return fields(type, mapping, Set.of(), at);
  }

  static boolean isShallow(Value value, FieldPath at) {
    if (at.depth() > DEEPEST) {
      at.invalid(value, "more than " + DEEPEST + " messages inside one another (expected: fewer)");
      return false;
    }
    return true;
  }

  /** The message that a mapping spells out, but for the names in it that are not fields. */
  Message fields(Descriptor type, Mapping mapping, Set<String> notFields, FieldPath at) {
    DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
    Map<FieldDescriptor, String> spellings = new HashMap<>();
    Map<OneofDescriptor, String> choices = new HashMap<>();
    mapping
        .fields()
        .forEach(
            (name, value) -> {
              if (notFields.contains(name)) {
                return;
              }
              FieldPath here = at.field(name);
              FieldDescriptor field = FieldNames.find(type, name);
              if (field == null) {
                here.invalid(mapping.keyPosition(name), FieldNames.unknown(type, name));
                return;
              }
              String other = spellings.putIfAbsent(field, name);
              if (other != null) {
                here.invalid(
                    mapping.keyPosition(name), "the same field as " + other + " (expected: once)");
                return;
              }
              if (ScalarReader.isNull(value) && !hasNull(field)) {
                return;
              }
              if (field.getRealContainingOneof() != null) {
                String chosen = choices.putIfAbsent(field.getRealContainingOneof(), name);
                if (chosen != null) {
                  here.invalid(
                      mapping.keyPosition(name),
                      "set together with " + chosen + " (expected: one of the two)");
                  return;
                }
              }
              set(message, field, value, here);
            });
    for (FieldDescriptor field : type.getFields()) {
      if (field.isRequired() && !message.hasField(field) && !spellings.containsKey(field)) {
        at.field(field.getName()).missing(mapping.position(), "missing");
      }
    }
    return message.buildPartial();
  }

  /** Whether null is a value of the field's type. */
  private static boolean hasNull(FieldDescriptor field) {
    return !field.isRepeated()
        && field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
        && WellKnownType.of(field.getMessageType()) == WellKnownType.VALUE;
  }

  private void set(
      DynamicMessage.Builder message, FieldDescriptor field, Value value, FieldPath at) {
    if (field.isMapField()) {
      map(message, field, value, at);
    } else if (field.isRepeated()) {
      list(message, field, value, at);
    } else {
      Object single = single(field, value, at);
      if (single != null) {
        message.setField(field, single);
      }
    }
  }

  /** One value of a field; null after a problem. */
  @Nullable Object single(FieldDescriptor field, Value value, FieldPath at) {
    if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
      return message(field.getMessageType(), value, at);
    }
    return at.findings().take(value, at) ? ScalarReader.read(field, value, at) : null;
  }

  private void list(
      DynamicMessage.Builder message, FieldDescriptor field, Value value, FieldPath at) {
    if (!(value instanceof Sequence sequence)) {
      at.wrongSort(value, "a sequence");
      return;
    }
    for (int i = 0; i < sequence.elements().size(); i++) {
      Object element = single(field, sequence.elements().get(i), at.element(i));
      if (element != null) {
        message.addRepeatedField(field, element);
      }
    }
  }

  /** Entries go into the message by the order of their keys, so that its bytes are always equal. */
  void map(DynamicMessage.Builder message, FieldDescriptor field, Value value, FieldPath at) {
    if (!(value instanceof Mapping mapping)) {
      at.wrongSort(value, "a mapping");
      return;
    }
    FieldDescriptor keyField = FieldRules.entry(field, "key");
    FieldDescriptor valueField = FieldRules.entry(field, "value");
    Map<Object, Message> entries = new TreeMap<>();
    mapping
        .fields()
        .forEach(
            (name, element) -> {
              FieldPath here = at.key(name).inside(1);
              Object key = MapKeys.read(keyField, name, mapping.keyPosition(name), here);
              Object content = single(valueField, element, here);
              if (key == null || content == null) {
                return;
              }
              Message entry =
                  DynamicMessage.newBuilder(field.getMessageType())
                      .setField(keyField, key)
                      .setField(valueField, content)
                      .build();
              if (entries.putIfAbsent(key, entry) != null) {
                here.invalid(mapping.keyPosition(name), "the same key as another (expected: once)");
              }
            });
    entries.values().forEach(entry -> message.addRepeatedField(field, entry));
  }
}
