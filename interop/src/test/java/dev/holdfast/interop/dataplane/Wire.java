// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import dev.holdfast.testkit.ReservedPorts;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Stands before a server and remembers how each connection began. */
final class Wire implements AutoCloseable {
  private static final int RECORD_HEADER = 5;

  private final ServerSocket listening;
  private final int to;
  private final List<byte[]> beginnings = new CopyOnWriteArrayList<>();
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();

  private Wire(ServerSocket listening, int to) {
    this.listening = listening;
    this.to = to;
  }

  static Wire before(Backend backend) {
    try {
      Wire wire =
          new Wire(
              new ServerSocket(ReservedPorts.next(), 50, InetAddress.getLoopbackAddress()),
              backend.port());
      start(wire::accept);
      return wire;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int port() {
    return listening.getLocalPort();
  }

  /** How each connection began, so far. */
  List<Beginning> beginnings() {
    return beginnings.stream().map(Beginning::new).toList();
  }

  /** The first bytes of a connection: the whole first record if it is TLS. */
  static final class Beginning {
    private final byte[] bytes;

    Beginning(byte[] bytes) {
      this.bytes = bytes;
    }

    boolean isClientHello() {
      return bytes.length > RECORD_HEADER && bytes[0] == 22 && bytes[RECORD_HEADER] == 1;
    }

    /** The name of the server that the client wants; empty if it does not say. */
    String sni() {
      return extension(0, 5);
    }

    /** The protocol that the client offers first. */
    String alpn() {
      return extension(16, 3);
    }

    /** The text of an extension of the ClientHello, which begins after so many bytes. */
    private String extension(int wanted, int skip) {
      int at = RECORD_HEADER + 4 + 2 + 32;
      at += 1 + (bytes[at] & 0xff);
      at += 2 + number(at);
      at += 1 + (bytes[at] & 0xff);
      int end = at + 2 + number(at);
      for (at += 2; at < end; at += 4 + number(at + 2)) {
        if (number(at) == wanted) {
          int from = at + 4 + skip;
          int length = wanted == 0 ? number(from - 2) : bytes[from - 1] & 0xff;
          return new String(bytes, from, length, StandardCharsets.US_ASCII);
        }
      }
      return "";
    }

    private int number(int at) {
      return (bytes[at] & 0xff) << 8 | (bytes[at + 1] & 0xff);
    }

    @Override
    public String toString() {
      return isClientHello()
          ? "ClientHello for \"" + sni() + "\""
          : new String(bytes, StandardCharsets.US_ASCII);
    }
  }

  private void accept() throws IOException {
    while (true) {
      Socket client = listening.accept();
      Socket server = new Socket(InetAddress.getLoopbackAddress(), to);
      sockets.add(client);
      sockets.add(server);
      start(() -> forward(client, server));
      start(() -> copy(server.getInputStream(), client.getOutputStream()));
    }
  }

  private void forward(Socket client, Socket server) throws IOException {
    InputStream in = client.getInputStream();
    byte[] header = in.readNBytes(RECORD_HEADER);
    byte[] rest =
        header.length == RECORD_HEADER && header[0] == 22
            ? in.readNBytes((header[3] & 0xff) << 8 | (header[4] & 0xff))
            : new byte[0];
    byte[] all = new byte[header.length + rest.length];
    System.arraycopy(header, 0, all, 0, header.length);
    System.arraycopy(rest, 0, all, header.length, rest.length);
    if (all.length > 0) {
      beginnings.add(all);
    }
    server.getOutputStream().write(all);
    copy(in, server.getOutputStream());
    server.shutdownOutput();
  }

  private static void copy(InputStream in, OutputStream out) throws IOException {
    byte[] buffer = new byte[8192];
    for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
      out.write(buffer, 0, read);
    }
    out.close();
  }

  private interface Task {
    void run() throws IOException;
  }

  private static void start(Task task) {
    Thread thread =
        new Thread(
            () -> {
              try {
                task.run();
              } catch (IOException e) {
                // The connection is over.
              }
            },
            "wire");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    try {
      listening.close();
      for (Socket socket : sockets) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
