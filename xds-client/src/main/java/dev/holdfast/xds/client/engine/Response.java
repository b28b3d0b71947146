// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import com.google.protobuf.ByteOutput;
import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.UnsafeByteOperations;
import com.google.protobuf.WireFormat;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.envoyproxy.envoy.service.discovery.v3.ResourceError;
import io.envoyproxy.envoy.service.discovery.v3.ResourceName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A response of either protocol, cut into its parts. The entries stay packed until somebody asks
 * for them: a type that is not known is skipped as a whole.
 *
 * @param version of the whole response; in Delta only for people
 * @param removed names that are no more (Delta)
 * @param errors what the server could not give (xRFC TP3)
 */
record Response(
    AdsProtocol protocol,
    String typeUrl,
    String version,
    String nonce,
    Entries packed,
    List<String> removed,
    List<ByteString> errors) {

  private static final int VERSION = field(1);
  private static final int RESOURCES = field(2);
  private static final int TYPE_URL = field(4);
  private static final int NONCE = field(5);
  private static final int SOTW_ERRORS = field(7);
  private static final int DELTA_REMOVED = field(6);
  private static final int DELTA_REMOVED_NAMES = field(8);
  private static final int DELTA_ERRORS = field(9);

  /** Throws if the bytes are not a response. */
  static Response parse(AdsProtocol protocol, ByteString bytes) throws IOException {
    boolean delta = protocol == AdsProtocol.DELTA;
    String typeUrl = "";
    String version = "";
    String nonce = "";
    byte[] data = array(bytes);
    Entries packed = new Entries(data);
    List<String> removed = new ArrayList<>();
    List<ByteString> errors = new ArrayList<>();
    CodedInputStream in = CodedInputStream.newInstance(data);
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == RESOURCES) {
        int length = in.readRawVarint32();
        int start = in.getTotalBytesRead();
        in.skipRawBytes(length);
        packed.add(start, start + length);
      } else if (tag == VERSION) {
        version = in.readStringRequireUtf8();
      } else if (tag == TYPE_URL) {
        typeUrl = in.readStringRequireUtf8();
      } else if (tag == NONCE) {
        nonce = in.readStringRequireUtf8();
      } else if (tag == (delta ? DELTA_ERRORS : SOTW_ERRORS)) {
        errors.add(in.readBytes());
      } else if (delta && tag == DELTA_REMOVED) {
        removed.add(in.readStringRequireUtf8());
      } else if (delta && tag == DELTA_REMOVED_NAMES) {
        removed.add(ResourceName.parseFrom(in.readBytes()).getName());
      } else {
        RawResource.skip(in, tag);
      }
    }
    return new Response(protocol, typeUrl, version, nonce, packed, removed, errors);
  }

  /** The bytes without copying them, if they are in one piece. They are not to be written to. */
  private static byte[] array(ByteString bytes) throws IOException {
    WholeArray whole = new WholeArray(bytes.size());
    UnsafeByteOperations.unsafeWriteTo(bytes, whole);
    return whole.array != null ? whole.array : bytes.toByteArray();
  }

  private static final class WholeArray extends ByteOutput {
    private final int size;
    private byte @Nullable [] array;

    WholeArray(int size) {
      this.size = size;
    }

    @Override
    public void writeLazy(byte[] value, int offset, int length) {
      if (offset == 0 && length == size && value.length == size) {
        array = value;
      }
    }

    @Override
    public void write(byte value) {}

    @Override
    public void write(byte[] value, int offset, int length) {}

    @Override
    public void write(ByteBuffer value) {}

    @Override
    public void writeLazy(ByteBuffer value) {}
  }

  private static int field(int number) {
    return (number << 3) | WireFormat.WIRETYPE_LENGTH_DELIMITED;
  }

  RawResource unpack(int index, ByteString expectedUrl) {
    ByteString entry = packed.get(index);
    return protocol == AdsProtocol.DELTA
        ? RawResource.fromWrapper(entry, expectedUrl)
        : RawResource.fromAny(entry, expectedUrl);
  }

  ResourceError error(int index) throws IOException {
    return ResourceError.parseFrom(errors.get(index));
  }
}
