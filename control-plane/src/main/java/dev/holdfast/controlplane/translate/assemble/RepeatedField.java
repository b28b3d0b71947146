// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.assemble;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.UnsafeByteOperations;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** Concatenates serialised messages on the wire level. */
public final class RepeatedField {
  private RepeatedField() {}

  /**
   * A message with elements appended to one of its repeated fields. The order of fields on the wire
   * has no meaning to readers.
   *
   * @param message the serialised message without those elements
   * @param field the number of the field
   */
  public static ByteString append(ByteString message, int field, List<ByteString> elements) {
    int tag = WireFormat.WIRETYPE_LENGTH_DELIMITED | (field << 3);
    int size = message.size();
    for (ByteString element : elements) {
      size +=
          CodedOutputStream.computeUInt32SizeNoTag(tag)
              + CodedOutputStream.computeUInt32SizeNoTag(element.size())
              + element.size();
    }
    byte[] bytes = new byte[size];
    CodedOutputStream output = CodedOutputStream.newInstance(bytes);
    try {
      output.writeRawBytes(message);
      for (ByteString element : elements) {
        output.writeUInt32NoTag(tag);
        output.writeUInt32NoTag(element.size());
        output.writeRawBytes(element);
      }
      output.checkNoSpaceLeft();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return UnsafeByteOperations.unsafeWrap(bytes);
  }

  /** Concatenates serialised messages, or parts of one message. */
  public static ByteString join(ByteString first, List<ByteString> rest) {
    int size = first.size();
    for (ByteString part : rest) {
      size += part.size();
    }
    byte[] bytes = new byte[size];
    first.copyTo(bytes, 0);
    int end = first.size();
    for (ByteString part : rest) {
      part.copyTo(bytes, end);
      end += part.size();
    }
    return UnsafeByteOperations.unsafeWrap(bytes);
  }
}
