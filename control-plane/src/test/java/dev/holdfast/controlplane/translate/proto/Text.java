// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.MessageOrBuilder;
import com.google.protobuf.TextFormat;

/** Messages as text. */
public final class Text {
  private Text() {}

  /** On one line. */
  public static String of(MessageOrBuilder message) {
    return TextFormat.printer().emittingSingleLine(true).printToString(message);
  }

  /** What is in an {@link Any} that must hold this type. */
  public static <T extends Message> T unpack(Any any, Class<T> type) {
    try {
      return any.unpack(type);
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError("it holds " + any.getTypeUrl(), e);
    }
  }
}
