// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.traffic;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Calls whose messages are text, so that no schema is needed. */
final class TextMessages implements MethodDescriptor.Marshaller<String> {
  private static final TextMessages INSTANCE = new TextMessages();

  private TextMessages() {}

  /**
   * @param name SERVICE/METHOD
   */
  static MethodDescriptor<String, String> method(String name) {
    return MethodDescriptor.newBuilder(INSTANCE, INSTANCE)
        .setType(MethodDescriptor.MethodType.UNARY)
        .setFullMethodName(name)
        .build();
  }

  @Override
  public InputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(UTF_8));
  }

  @Override
  public String parse(InputStream stream) {
    try {
      return new String(stream.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
