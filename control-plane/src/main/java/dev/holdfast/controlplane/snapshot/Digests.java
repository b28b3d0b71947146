// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.snapshot;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import com.google.protobuf.UnsafeByteOperations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * Digests of bytes, and a deterministic serialisation to compute them from: equal messages give
 * equal digests.
 */
public final class Digests {
  /**
   * 128 bits are enough: an author has nothing to gain from a collision within configuration that
   * the author may write anyway.
   */
  private static final int BYTES = 16;

  private Digests() {}

  /** Serialises with map entries in the order of their keys. */
  public static ByteString serialise(MessageLite message) {
    byte[] bytes = new byte[message.getSerializedSize()];
    CodedOutputStream output = CodedOutputStream.newInstance(bytes);
    output.useDeterministicSerialization();
    try {
      message.writeTo(output);
      output.checkNoSpaceLeft();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return UnsafeByteOperations.unsafeWrap(bytes);
  }

  /** The digest of bytes. */
  public static String of(ByteString bytes) {
    MessageDigest digest = sha256();
    for (ByteBuffer buffer : bytes.asReadOnlyByteBufferList()) {
      digest.update(buffer);
    }
    return text(digest);
  }

  /**
   * The digest of a list of digests or names. Each is length-delimited, so that different lists do
   * not run into one another.
   */
  public static String of(Iterable<String> parts) {
    return text(digest(parts));
  }

  /** A 16 byte digest of a name and a version. */
  static ByteBuffer fingerprint(String name, String version) {
    return ByteBuffer.wrap(digest(List.of(name, version)).digest(), 0, BYTES).slice();
  }

  private static MessageDigest digest(Iterable<String> parts) {
    MessageDigest digest = sha256();
    ByteBuffer length = ByteBuffer.allocate(Integer.BYTES);
    for (String part : parts) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      digest.update(length.clear().putInt(bytes.length).flip());
      digest.update(bytes);
    }
    return digest;
  }

  private static String text(MessageDigest digest) {
    return HexFormat.of().formatHex(digest.digest(), 0, BYTES);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
