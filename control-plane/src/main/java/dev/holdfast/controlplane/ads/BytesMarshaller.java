// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import com.google.protobuf.ByteString;
import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** Messages that are bytes already. */
final class BytesMarshaller implements MethodDescriptor.Marshaller<ByteString> {
  @Override
  public InputStream stream(ByteString value) {
    return new Bytes(value);
  }

  @Override
  public ByteString parse(InputStream stream) {
    try {
      return ByteString.readFrom(stream);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Lets gRPC copy straight into its own buffers, and know how many it needs. */
  private static final class Bytes extends InputStream implements Drainable, KnownLength {
    private final ByteString value;
    private InputStream rest;
    private boolean drained;

    Bytes(ByteString value) {
      this.value = value;
      this.rest = value.newInput();
    }

    @Override
    public int drainTo(OutputStream target) throws IOException {
      if (drained) {
        return 0;
      }
      drained = true;
      rest = InputStream.nullInputStream();
      value.writeTo(target);
      return value.size();
    }

    @Override
    public int available() throws IOException {
      return rest.available();
    }

    @Override
    public int read() throws IOException {
      return rest.read();
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      return rest.read(into, offset, length);
    }
  }
}
