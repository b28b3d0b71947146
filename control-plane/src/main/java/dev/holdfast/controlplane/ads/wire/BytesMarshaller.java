// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import com.google.protobuf.ByteOutput;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Passes on messages that are serialised already. */
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

  /** Lets gRPC copy straight into its own buffers, and size them beforehand. */
  private static final class Bytes extends InputStream implements Drainable, KnownLength {
    private final ByteString value;
    private @Nullable InputStream rest;

    Bytes(ByteString value) {
      this.value = value;
    }

    @Override
    public int drainTo(OutputStream target) throws IOException {
      if (rest != null) {
        return Math.toIntExact(rest.transferTo(target));
      }
      rest = InputStream.nullInputStream();
      UnsafeByteOperations.unsafeWriteTo(value, new DirectOutput(target));
      return value.size();
    }

    private InputStream rest() {
      if (rest == null) {
        rest = value.newInput();
      }
      return rest;
    }

    @Override
    public int available() throws IOException {
      return rest == null ? value.size() : rest.available();
    }

    @Override
    public int read() throws IOException {
      return rest().read();
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      return rest().read(into, offset, length);
    }
  }

  /** Writes byte arrays without the copy that protobuf makes for any other output stream. */
  private static final class DirectOutput extends ByteOutput {
    private final OutputStream target;

    DirectOutput(OutputStream target) {
      this.target = target;
    }

    @Override
    public void write(byte value) throws IOException {
      target.write(value);
    }

    @Override
    public void write(byte[] value, int offset, int length) throws IOException {
      target.write(value, offset, length);
    }

    @Override
    public void writeLazy(byte[] value, int offset, int length) throws IOException {
      target.write(value, offset, length);
    }

    @Override
    public void write(ByteBuffer value) throws IOException {
      byte[] bytes = new byte[value.remaining()];
      value.get(bytes);
      target.write(bytes);
    }

    @Override
    public void writeLazy(ByteBuffer value) throws IOException {
      write(value);
    }
  }
}
