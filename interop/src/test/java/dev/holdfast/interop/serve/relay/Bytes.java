// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.relay;

import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Messages as they come, protobuf or not. */
public final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
  /** The same method with messages that nobody looks into. */
  public static MethodDescriptor<byte[], byte[]> raw(MethodDescriptor<?, ?> method) {
    return method.toBuilder(new Bytes(), new Bytes()).build();
  }

  @Override
  public InputStream stream(byte[] value) {
    return new ByteArrayInputStream(value);
  }

  @Override
  public byte[] parse(InputStream stream) {
    try {
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
