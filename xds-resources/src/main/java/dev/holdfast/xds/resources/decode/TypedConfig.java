// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.decode;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import com.google.protobuf.Struct;
import dev.holdfast.base.Problems;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of an extension, whose type says which extension it is (gRFC A39). A {@code
 * TypedStruct} stands for the type that it names itself.
 *
 * @param type the message name, without the host of the type URL
 * @param value the serialized message; empty for a TypedStruct
 * @param struct the content of a TypedStruct; null for any other type
 */
public record TypedConfig(String type, ByteString value, @Nullable Struct struct) {
  private static final String XDS_TYPED_STRUCT = "xds.type.v3.TypedStruct";
  private static final String UDPA_TYPED_STRUCT = "udpa.type.v1.TypedStruct";

  /** Looks into an Any; null after reporting a TypedStruct that cannot be read. */
  public static @Nullable TypedConfig of(Any any, Problems problems) {
    String type = typeName(any.getTypeUrl());
    if (type.equals(XDS_TYPED_STRUCT)) {
      var struct = parse(any.getValue(), com.github.xds.type.v3.TypedStruct.parser(), problems);
      return struct == null ? null : ofStruct(struct.getTypeUrl(), struct.getValue());
    }
    if (type.equals(UDPA_TYPED_STRUCT)) {
      var struct =
          parse(any.getValue(), com.github.udpa.udpa.type.v1.TypedStruct.parser(), problems);
      return struct == null ? null : ofStruct(struct.getTypeUrl(), struct.getValue());
    }
    return new TypedConfig(type, any.getValue(), null);
  }

  private static TypedConfig ofStruct(String typeUrl, Struct value) {
    return new TypedConfig(typeName(typeUrl), ByteString.EMPTY, value);
  }

  /** Whether this is a serialized message of the given type. */
  public boolean is(String messageName) {
    return struct == null && type.equals(messageName);
  }

  /** The message; null after reporting that the bytes are none. */
  public <M> @Nullable M unpack(Parser<M> parser, Problems problems) {
    return parse(value, parser, problems);
  }

  /** The same for an extension that has no other form: a TypedStruct is a problem. */
  public <M> @Nullable M message(Parser<M> parser, Problems problems) {
    if (struct != null) {
      problems.unsupported("a TypedStruct for " + Text.quote(type) + " (expected: the message)");
      return null;
    }
    return unpack(parser, problems);
  }

  private static <M> @Nullable M parse(ByteString bytes, Parser<M> parser, Problems problems) {
    try {
      return parser.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      problems.undecodable("not a message of the type that it claims to be: " + e.getMessage());
      return null;
    }
  }

  /** The part of a type URL after the last slash. */
  private static String typeName(String typeUrl) {
    return typeUrl.substring(typeUrl.lastIndexOf('/') + 1);
  }
}
