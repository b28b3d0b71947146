// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.proto;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.google.protobuf.Any;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Struct;
import com.google.protobuf.TypeRegistry;
import com.google.protobuf.Value;
import com.google.protobuf.util.JsonFormat;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Any message as JSON, whatever is in it. The standard printer gives up on an {@code Any} whose
 * type it does not know or whose bytes are broken; extensions make both an everyday matter here.
 * Such an {@code Any} is printed as {@code {"@type": ..., "value": base64}}.
 *
 * <p>Not thread-safe.
 */
public final class ProtoJson {
  /*
   * Every Any is opened beforehand. The types that are found go into the printer's registry; what
   * cannot be opened is replaced by a Struct that the printer can print, with a key to know it by,
   * which is replaced in turn in the JSON that comes out.
   */
  private static final String OPAQUE = "@holdfast.opaque";
  private static final String VALUE = "value";
  private static final String TYPE = "@type";

  /** An Any inside of an Any inside of an Any ... is no way to exhaust our stack. */
  private static final int DEEPEST_ANY = 16;

  private final Set<Descriptor> known = new LinkedHashSet<>(List.of(Struct.getDescriptor()));
  private JsonFormat.Printer printer = newPrinter();

  /** The message in the JSON mapping of protobuf. Never throws. */
  public JsonElement print(Message message) {
    try {
      int before = known.size();
      Message opened = open(message, 0);
      if (known.size() > before) {
        printer = newPrinter();
      }
      return reveal(JsonParser.parseString(printer.print(opened)));
    } catch (InvalidProtocolBufferException | IllegalArgumentException | JsonParseException e) {
      // Values that have no JSON form: a duration of 2^63 s, a number that is none.
      return opaque(
          "type.googleapis.com/" + message.getDescriptorForType().getFullName(),
          base64(message.toByteArray()));
    }
  }

  private JsonFormat.Printer newPrinter() {
    return JsonFormat.printer()
        .omittingInsignificantWhitespace()
        .usingTypeRegistry(TypeRegistry.newBuilder().add(known).build());
  }

  private Message open(Message message, int depth) {
    if (message instanceof Any any) {
      return openAny(any, depth);
    }
    Message.Builder changed = null;
    for (Map.Entry<FieldDescriptor, Object> field : message.getAllFields().entrySet()) {
      if (field.getKey().getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
        Object opened = openField(field.getValue(), depth);
        if (opened != field.getValue()) {
          changed = changed == null ? message.toBuilder() : changed;
          changed.setField(field.getKey(), opened);
        }
      }
    }
    return changed == null ? message : changed.build();
  }

  private Object openField(Object value, int depth) {
    if (value instanceof Message message) {
      return open(message, depth);
    }
    List<?> messages = (List<?>) value;
    List<Message> opened = new ArrayList<>(messages.size());
    boolean changed = false;
    for (Object message : messages) {
      Message next = open((Message) message, depth);
      changed |= next != message;
      opened.add(next);
    }
    return changed ? opened : value;
  }

  private Any openAny(Any any, int depth) {
    if (any.equals(Any.getDefaultInstance())) {
      return any;
    }
    int slash = any.getTypeUrl().lastIndexOf('/');
    Optional<Message> type =
        slash < 0 || depth >= DEEPEST_ANY
            ? Optional.empty()
            : ProtoTypes.find(any.getTypeUrl().substring(slash + 1));
    if (type.isEmpty()) {
      return hide(any);
    }
    try {
      Message content = type.get().getParserForType().parseFrom(any.getValue());
      known.add(content.getDescriptorForType());
      Message opened = open(content, depth + 1);
      return opened == content ? any : any.toBuilder().setValue(opened.toByteString()).build();
    } catch (InvalidProtocolBufferException e) {
      return hide(any);
    }
  }

  private static Any hide(Any any) {
    Struct hidden =
        Struct.newBuilder()
            .putFields(OPAQUE, Value.newBuilder().setStringValue(any.getTypeUrl()).build())
            .putFields(
                VALUE,
                Value.newBuilder().setStringValue(base64(any.getValue().toByteArray())).build())
            .build();
    return Any.pack(hidden);
  }

  private static JsonElement reveal(JsonElement json) {
    if (json instanceof JsonArray array) {
      for (int i = 0; i < array.size(); i++) {
        array.set(i, reveal(array.get(i)));
      }
    } else if (json instanceof JsonObject object) {
      if (object.get(VALUE) instanceof JsonObject hidden
          && object.has(TYPE)
          && hidden.get(OPAQUE) instanceof JsonPrimitive typeUrl
          && hidden.get(VALUE) instanceof JsonPrimitive value) {
        return opaque(typeUrl.getAsString(), value.getAsString());
      }
      object.entrySet().forEach(entry -> entry.setValue(reveal(entry.getValue())));
    }
    return json;
  }

  private static JsonObject opaque(String typeUrl, String base64) {
    JsonObject json = new JsonObject();
    json.addProperty(TYPE, typeUrl);
    json.addProperty(VALUE, base64);
    return json;
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }
}
