// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.proxies;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;

/** A connection with one gRPC call. Read by one thread. */
final class Connection implements AutoCloseable {
  /** When so much was received, the windows are opened again. */
  private static final long MUCH = 1L << 30;

  private final SocketChannel channel;
  private final ResponseReader responses;
  private final ByteBuffer header = ByteBuffer.allocate(Http2.FRAME_HEADER);
  private final ByteBuffer ping = ByteBuffer.allocate(8);
  private int type;
  private int flags;
  private int left;
  private long received;

  private Connection(
      SocketChannel channel, boolean keepsBody, Consumer<ReceivedResponse> onResponse) {
    this.channel = channel;
    this.responses = new ResponseReader(keepsBody, onResponse);
  }

  static Connection open(
      int port, String path, boolean keepsBody, Consumer<ReceivedResponse> onResponse)
      throws IOException {
    SocketChannel channel =
        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(false);
    Connection connection = new Connection(channel, keepsBody, onResponse);
    connection.write(Http2.open(path));
    return connection;
  }

  SocketChannel channel() {
    return channel;
  }

  void send(byte[] message) throws IOException {
    write(Http2.message(message));
  }

  private void write(byte[] bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      if (channel.write(buffer) == 0) {
        Thread.onSpinWait();
      }
    }
  }

  /** Takes what came in. */
  void read(ByteBuffer in) throws IOException {
    while (in.hasRemaining()) {
      if (header.hasRemaining()) {
        header.put(in.get());
        if (!header.hasRemaining()) {
          begin();
        }
      } else {
        payload(in, Math.min(left, in.remaining()));
      }
      if (!header.hasRemaining() && left == 0) {
        end();
      }
    }
  }

  private void begin() {
    left = header.getInt(0) >>> 8;
    type = header.get(3);
    flags = header.get(4);
    ping.clear();
  }

  private void payload(ByteBuffer in, int length) {
    left -= length;
    if (type == Http2.DATA) {
      received += length;
      responses.read(in, length);
    } else if (type == Http2.PING) {
      for (int i = 0; i < length; i++) {
        ping.put(in.get());
      }
    } else {
      in.position(in.position() + length);
    }
  }

  private void end() throws IOException {
    header.clear();
    boolean last = (type == Http2.HEADERS || type == Http2.DATA) && (flags & Http2.END_STREAM) != 0;
    if (last || type == Http2.RST_STREAM || type == Http2.GOAWAY) {
      throw new IOException("the server ended the call (frame type " + type + ")");
    }
    if (type == Http2.SETTINGS && (flags & Http2.ACK) == 0) {
      write(Http2.frame(Http2.SETTINGS, Http2.ACK, 0, new byte[0]));
    } else if (type == Http2.PING && (flags & Http2.ACK) == 0) {
      write(Http2.frame(Http2.PING, Http2.ACK, 0, ping.array()));
    }
    if (received > MUCH) {
      write(Http2.windowUpdate(0, (int) received));
      write(Http2.windowUpdate(Http2.STREAM, (int) received));
      received = 0;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
