// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The names in a compiled {@code .proto} file, read off its bytes: parsing some hundred files to
 * the last option takes half a second, and of most of them nothing but the names is ever needed.
 * The numbers are those of {@code google/protobuf/descriptor.proto}.
 */
final class MessageNames {
  private static final int SET_FILE = 1;
  private static final int FILE_NAME = 1;
  private static final int FILE_PACKAGE = 2;
  private static final int FILE_MESSAGE = 4;
  private static final int MESSAGE_NAME = 1;
  private static final int MESSAGE_NESTED = 3;
  private static final int MESSAGE_OPTIONS = 7;
  private static final int OPTIONS_MAP_ENTRY = 7;

  private MessageNames() {}

  /** The files of a FileDescriptorSet, as views of its bytes. */
  static List<ByteString> files(ByteString set) throws IOException {
    CodedInputStream in = set.newCodedInput();
    in.enableAliasing(true);
    List<ByteString> files = new ArrayList<>();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) == SET_FILE) {
        files.add(in.readBytes());
      } else {
        in.skipField(tag);
      }
    }
    return files;
  }

  /** The name of a FileDescriptorProto. */
  static String file(ByteString file) throws IOException {
    return text(file, FILE_NAME);
  }

  /** The full names of its messages and those inside of them, but for the entries of maps. */
  static List<String> messages(ByteString file) throws IOException {
    List<String> names = new ArrayList<>();
    add(text(file, FILE_PACKAGE), file, FILE_MESSAGE, names);
    return names;
  }

  private static void add(String scope, ByteString parent, int field, List<String> names)
      throws IOException {
    CodedInputStream in = parent.newCodedInput();
    in.enableAliasing(true);
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) != field) {
        in.skipField(tag);
        continue;
      }
      ByteString message = in.readBytes();
      if (!isMapEntry(message)) {
        String own = text(message, MESSAGE_NAME);
        String name = scope.isEmpty() ? own : scope + "." + own;
        names.add(name);
        add(name, message, MESSAGE_NESTED, names);
      }
    }
  }

  private static boolean isMapEntry(ByteString message) throws IOException {
    CodedInputStream in = bytes(message, MESSAGE_OPTIONS).newCodedInput();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) == OPTIONS_MAP_ENTRY) {
        return in.readBool();
      }
      in.skipField(tag);
    }
    return false;
  }

  private static String text(ByteString message, int field) throws IOException {
    return bytes(message, field).toStringUtf8();
  }

  /** A field that is there once, or empty. */
  private static ByteString bytes(ByteString message, int field) throws IOException {
    CodedInputStream in = message.newCodedInput();
    in.enableAliasing(true);
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) == field) {
        return in.readBytes();
      }
      in.skipField(tag);
    }
    return ByteString.EMPTY;
  }
}
