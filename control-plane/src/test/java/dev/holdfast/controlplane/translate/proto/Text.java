// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.MessageOrBuilder;
import com.google.protobuf.TextFormat;

/** Protobuf messages as text. */
public final class Text {
  private Text() {}

  /** On one line. */
  public static String of(MessageOrBuilder message) {
    return TextFormat.printer().emittingSingleLine(true).printToString(message);
  }

  /** Unpacks an {@link Any}, which must hold this type. */
  public static <T extends Message> T unpack(Any any, Class<T> type) {
    try {
      return any.unpack(type);
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError("it holds " + any.getTypeUrl(), e);
    }
  }
}
