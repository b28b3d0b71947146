// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.envoy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/** The admin port of an Envoy that says what a test wants. */
public final class FakeAdmin implements AutoCloseable {
  private final ServerSocketChannel server;
  private final Map<String, String> answers;

  /**
   * @param answers by the beginnings of paths
   */
  public FakeAdmin(Path socket, Map<String, String> answers) throws IOException {
    this.answers = answers;
    this.server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket));
    Thread thread = new Thread(this::serve, "fake admin port");
    thread.setDaemon(true);
    thread.start();
  }

  private void serve() {
    while (true) {
      try (SocketChannel channel = server.accept()) {
        ByteBuffer request = ByteBuffer.allocate(4096);
        channel.read(request); // small enough to come at once
        String path =
            new String(request.array(), 0, request.position(), StandardCharsets.US_ASCII)
                .split(" ", 3)[1];
        channel.write(ByteBuffer.wrap(answer(path).getBytes(StandardCharsets.UTF_8)));
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private String answer(String path) {
    for (Map.Entry<String, String> each : answers.entrySet()) {
      if (path.startsWith(each.getKey())) {
        return "HTTP/1.1 200 OK\r\n\r\n" + each.getValue();
      }
    }
    return "HTTP/1.1 404 Not Found\r\n\r\n";
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
