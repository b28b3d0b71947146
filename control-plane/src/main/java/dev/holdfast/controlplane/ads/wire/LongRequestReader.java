// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import com.google.protobuf.WireFormat;
import com.google.rpc.Status;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a request that is longer than usual: goes through its fields as they are on the wire, cuts
 * the error text, and stops at the first field that exceeds a limit. What nobody reads never takes
 * more memory than a small buffer.
 */
final class LongRequestReader<M extends MessageLite> {
  /** Shorter requests are parsed as they are. */
  static final int LONG = 64 << 10;

  /** The bits of a tag that are not the number of the field. */
  private static final int TYPE_BITS = 3;

  private static final int ERROR_CODE =
      (Status.CODE_FIELD_NUMBER << TYPE_BITS) | WireFormat.WIRETYPE_VARINT;
  private static final int ERROR_MESSAGE =
      (Status.MESSAGE_FIELD_NUMBER << TYPE_BITS) | WireFormat.WIRETYPE_LENGTH_DELIMITED;

  private final RequestFormat<M> format;
  private final RequestLimits limits;
  private final ByteString.Output kept = ByteString.newOutput();
  private final CodedOutputStream out = CodedOutputStream.newInstance(kept);
  private @Nullable Status error;
  private @Nullable Refusal refusal;
  private int names;
  private int versions;

  LongRequestReader(RequestFormat<M> format, RequestLimits limits) {
    this.format = format;
    this.limits = limits;
  }

  /**
   * The request without most of its error text; null if it is refused.
   *
   * @throws IOException if this is not a request
   */
  @Nullable M read(InputStream stream) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(stream);
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED) {
        readField(tag, in);
      } else {
        in.skipField(tag); // a request has no such field
      }
      if (refusal != null) {
        return null;
      }
    }
    if (error != null) {
      out.writeMessage(format.errorField(), error);
    }
    out.flush();
    return format.parser().parseFrom(kept.toByteString());
  }

  /** Why the request is refused; null if it is not. */
  @Nullable Refusal refusal() {
    return refusal;
  }

  private void readField(int tag, CodedInputStream in) throws IOException {
    int field = WireFormat.getTagFieldNumber(tag);
    int length = in.readRawVarint32();
    if (field == format.errorField()) {
      error = readError(in, length);
      return;
    }
    if (field == format.nodeField()) {
      refusal = limits.nodeOf(length);
    } else if (format.nameFields().contains(field)) {
      names++;
      refusal = limits.namesOf(names, length);
    } else if (field == format.versionsField()) {
      versions++;
      refusal = limits.versionsOf(versions);
    }
    if (refusal == null) {
      out.writeByteArray(field, in.readRawBytes(length));
    }
  }

  private Status readError(CodedInputStream in, int length) throws IOException {
    Status.Builder status = Status.newBuilder();
    int outer = in.pushLimit(length);
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == ERROR_CODE) {
        status.setCode(in.readInt32());
      } else if (tag == ERROR_MESSAGE) {
        int bytes = in.readRawVarint32();
        int read = Math.min(bytes, limits.errorBytes());
        status.setMessage(limits.cut(ByteString.copyFrom(in.readRawBytes(read))));
        in.skipRawBytes(bytes - read);
      } else {
        in.skipField(tag);
      }
    }
    in.popLimit(outer);
    return status.build();
  }
}
