// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * One entry of a response, unpacked as far as that is possible without knowing its type.
 *
 * @param name what the wrapper calls it; null if there is no wrapper or it does not say
 * @param version what the wrapper says; empty if there is none
 * @param bytes the resource itself: a view into the response, to be copied if it is kept; null if
 *     there is none or {@code fault} says why it cannot be had
 * @param fault why the entry is unusable; null if it is not
 */
record RawResource(
    @Nullable String name, String version, @Nullable ByteString bytes, @Nullable String fault) {
  private static final ByteString WRAPPER_URL =
      ByteString.copyFromUtf8("type.googleapis.com/envoy.service.discovery.v3.Resource");

  /** An {@code Any}, as state-of-the-world responses have them, wrapped or not. */
  static RawResource fromAny(ByteString any, ByteString expectedUrl) {
    try {
      Any parsed = Any.parse(any);
      if (parsed.url.equals(WRAPPER_URL)) {
        return fromWrapper(parsed.value, expectedUrl);
      }
      return unpack(null, "", parsed, expectedUrl);
    } catch (IOException e) {
      return new RawResource(null, "", null, "cannot be decoded: " + e.getMessage());
    }
  }

  /** An {@code envoy.service.discovery.v3.Resource}, as Delta responses have them. */
  static RawResource fromWrapper(ByteString wrapper, ByteString expectedUrl) {
    String name = null;
    String version = "";
    ByteString any = null;
    try {
      CodedInputStream in = input(wrapper);
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        switch (tag) {
          case (1 << 3) | WireFormat.WIRETYPE_LENGTH_DELIMITED ->
              version = in.readStringRequireUtf8();
          case (2 << 3) | WireFormat.WIRETYPE_LENGTH_DELIMITED -> any = in.readBytes();
          case (3 << 3) | WireFormat.WIRETYPE_LENGTH_DELIMITED -> {
            String given = in.readStringRequireUtf8();
            name = given.isEmpty() ? null : given;
          }
          default -> skip(in, tag);
        }
      }
      if (any == null) {
        return new RawResource(name, version, null, null);
      }
      return unpack(name, version, Any.parse(any), expectedUrl);
    } catch (IOException e) {
      return new RawResource(name, version, null, "wrapper cannot be decoded: " + e.getMessage());
    }
  }

  private static RawResource unpack(
      @Nullable String name, String version, Any any, ByteString expectedUrl) {
    if (any.url.equals(expectedUrl)) {
      return new RawResource(name, version, any.value, null);
    }
    String fault =
        "incorrect resource type \""
            + any.url.toStringUtf8()
            + "\" (should be "
            + expectedUrl.toStringUtf8()
            + ")";
    return new RawResource(name, version, null, fault);
  }

  /** Reads without copying: byte fields come out as views of {@code bytes}. */
  static CodedInputStream input(ByteString bytes) {
    CodedInputStream in = bytes.newCodedInput();
    in.enableAliasing(true);
    return in;
  }

  /** Older versions of protobuf leave the end of a group that never began to their caller. */
  static void skip(CodedInputStream in, int tag) throws IOException {
    if (!in.skipField(tag)) {
      throw new InvalidProtocolBufferException("the end of a group that never began");
    }
  }

  private record Any(ByteString url, ByteString value) {
    static Any parse(ByteString bytes) throws IOException {
      ByteString url = ByteString.EMPTY;
      ByteString value = ByteString.EMPTY;
      CodedInputStream in = input(bytes);
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        switch (tag) {
          case (1 << 3) | WireFormat.WIRETYPE_LENGTH_DELIMITED -> url = in.readBytes();
          case (2 << 3) | WireFormat.WIRETYPE_LENGTH_DELIMITED -> value = in.readBytes();
          default -> skip(in, tag);
        }
      }
      if (!url.isValidUtf8()) {
        throw new InvalidProtocolBufferException("type_url is not UTF-8");
      }
      return new Any(url, value);
    }
  }
}
