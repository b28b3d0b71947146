// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.proto;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.envoyproxy.envoy.config.core.v3.DataSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import udpa.annotations.Sensitive;

/**
 * Messages without their secrets. Which fields hold some is what Envoy's API says of itself
 * (private keys, passwords, session ticket keys, tokens), wherever they stand, inside of an {@code
 * Any} too. That there is one is still to be seen; where it is a file, its name is.
 */
public final class Redaction {
  /** What stands where a secret was. */
  public static final String REDACTED = "[redacted]";

  private static final ByteString REDACTED_BYTES = ByteString.copyFromUtf8(REDACTED);

  /** An Any inside of an Any inside of an Any ... is no way to exhaust our stack. */
  private static final int DEEPEST_ANY = 16;

  private Redaction() {}

  /** The message without its secrets; the very same if it has none. */
  public static Message of(Message message) {
    return of(message, 0);
  }

  /**
   * Serialised bytes without their secrets; empty if this program cannot read them, and so cannot
   * tell what they hold.
   */
  public static Optional<Message> parse(String typeUrl, ByteString bytes) {
    return ProtoTypes.find(typeUrl.substring(typeUrl.lastIndexOf('/') + 1))
        .flatMap(
            type -> {
              try {
                return Optional.of(of(type.getParserForType().parseFrom(bytes)));
              } catch (InvalidProtocolBufferException e) {
                return Optional.empty();
              }
            });
  }

  private static Message of(Message message, int depth) {
    if (message instanceof Any any) {
      return ofAny(any, depth);
    }
    Message.Builder changed = null;
    for (Map.Entry<FieldDescriptor, Object> field : message.getAllFields().entrySet()) {
      boolean sensitive = field.getKey().getOptions().getExtension(Sensitive.sensitive);
      Object before = field.getValue();
      Object after = sensitive ? hide(field.getKey(), before) : inside(before, depth);
      if (after != before) {
        changed = changed == null ? message.toBuilder() : changed;
        changed.setField(field.getKey(), after);
      }
    }
    return changed == null ? message : changed.build();
  }

  private static Object inside(Object value, int depth) {
    if (value instanceof Message message) {
      return of(message, depth);
    }
    return value instanceof List<?> list
        ? each(list, element -> element instanceof Message message ? of(message, depth) : element)
        : value;
  }

  private static Any ofAny(Any any, int depth) {
    String typeUrl = any.getTypeUrl();
    Optional<Message> type =
        depth >= DEEPEST_ANY
            ? Optional.empty()
            : ProtoTypes.find(typeUrl.substring(typeUrl.lastIndexOf('/') + 1));
    if (type.isEmpty()) {
      return any;
    }
    try {
      Message content = type.get().getParserForType().parseFrom(any.getValue());
      Message shown = of(content, depth + 1);
      return shown == content ? any : any.toBuilder().setValue(shown.toByteString()).build();
    } catch (InvalidProtocolBufferException e) {
      return any;
    }
  }

  private static Object hide(FieldDescriptor field, Object value) {
    if (value instanceof List<?> list) {
      return switch (field.getJavaType()) {
        case MESSAGE, STRING, BYTE_STRING -> each(list, element -> hideOne(field, element));
        default -> List.of();
      };
    }
    return hideOne(field, value);
  }

  private static Object hideOne(FieldDescriptor field, Object value) {
    if (value instanceof DataSource source) {
      return hide(source);
    }
    return switch (field.getJavaType()) {
      case STRING -> REDACTED;
      case BYTE_STRING -> REDACTED_BYTES;
      case MESSAGE -> ((Message) value).getDefaultInstanceForType();
      default -> field.getDefaultValue();
    };
  }

  /** Where it is to be read from is no secret. */
  private static DataSource hide(DataSource source) {
    return switch (source.getSpecifierCase()) {
      case INLINE_STRING, INLINE_BYTES -> DataSource.newBuilder().setInlineString(REDACTED).build();
      case FILENAME, ENVIRONMENT_VARIABLE, SPECIFIER_NOT_SET -> source;
    };
  }

  private static Object each(List<?> list, UnaryOperator<Object> change) {
    List<Object> changed = new ArrayList<>(list.size());
    boolean different = false;
    for (Object element : list) {
      Object after = change.apply(element);
      different |= after != element;
      changed.add(after);
    }
    return different ? changed : list;
  }
}
