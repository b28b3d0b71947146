// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.proxies;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * As much of HTTP/2 as a connection with one call needs, written by hand: a whole HTTP/2 client
 * would cost more than the servers that it is there to measure.
 */
final class Http2 {
  static final int FRAME_HEADER = 9;

  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int WINDOW_UPDATE = 8;

  static final int ACK = 0x1;
  static final int END_STREAM = 0x1;
  static final int END_HEADERS = 0x4;

  /** The only stream of the connection. */
  static final int STREAM = 1;

  static final int LARGEST_WINDOW = Integer.MAX_VALUE;

  private static final int FIRST_WINDOW = 65_535;
  private static final int LARGEST_FRAME = 16_384;
  private static final int INITIAL_WINDOW_SIZE = 4;

  private Http2() {}

  /** Opens the connection with windows that never fill, and the call. */
  static byte[] open(String path) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    out.writeBytes(
        frame(
            SETTINGS,
            0,
            0,
            ByteBuffer.allocate(6)
                .putShort((short) INITIAL_WINDOW_SIZE)
                .putInt(LARGEST_WINDOW)
                .array()));
    out.writeBytes(windowUpdate(0, LARGEST_WINDOW - FIRST_WINDOW));
    out.writeBytes(frame(HEADERS, END_HEADERS, STREAM, headers(path)));
    return out.toByteArray();
  }

  /** Literals, and what the static table of HPACK has. */
  private static byte[] headers(String path) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(0x83); // :method POST
    out.write(0x86); // :scheme http
    out.write(0x04); // :path
    text(out, path);
    out.write(0x01); // :authority
    text(out, "benchmark");
    out.write(0x0f); // content-type, the 31st of the table
    out.write(31 - 0x0f);
    text(out, "application/grpc");
    out.write(0x00); // a name that is not in the table
    text(out, "te");
    text(out, "trailers");
    return out.toByteArray();
  }

  private static void text(ByteArrayOutputStream out, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    if (bytes.length > 126) {
      throw new IllegalArgumentException(text + ": too long (expected: at most 126 characters)");
    }
    out.write(bytes.length);
    out.writeBytes(bytes);
  }

  static byte[] windowUpdate(int stream, int increment) {
    return frame(WINDOW_UPDATE, 0, stream, ByteBuffer.allocate(4).putInt(increment).array());
  }

  /** A gRPC message, in as many frames as it needs. */
  static byte[] message(byte[] message) {
    byte[] body =
        ByteBuffer.allocate(5 + message.length)
            .put((byte) 0)
            .putInt(message.length)
            .put(message)
            .array();
    ByteArrayOutputStream out = new ByteArrayOutputStream(body.length + FRAME_HEADER);
    for (int from = 0; from < body.length; from += LARGEST_FRAME) {
      int length = Math.min(LARGEST_FRAME, body.length - from);
      out.writeBytes(header(length, DATA, 0, STREAM));
      out.write(body, from, length);
    }
    return out.toByteArray();
  }

  static byte[] frame(int type, int flags, int stream, byte[] payload) {
    return ByteBuffer.allocate(FRAME_HEADER + payload.length)
        .put(header(payload.length, type, flags, stream))
        .put(payload)
        .array();
  }

  private static byte[] header(int length, int type, int flags, int stream) {
    return ByteBuffer.allocate(FRAME_HEADER)
        .put((byte) (length >> 16))
        .putShort((short) length)
        .put((byte) type)
        .put((byte) flags)
        .putInt(stream)
        .array();
  }
}
