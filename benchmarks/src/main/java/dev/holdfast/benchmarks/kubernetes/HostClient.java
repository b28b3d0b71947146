// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.kubernetes;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Asks an Envoy for hosts, on one connection. */
final class HostClient implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 5_000;

  private final int port;
  private @Nullable Socket socket;
  private @Nullable InputStream in;

  HostClient(int port) {
    this.port = port;
  }

  /** Which edit of a host answers; empty if it is not served, or Envoy is not there. */
  String edit(String host) {
    try {
      return ask(host);
    } catch (IOException e) {
      close();
      return "";
    }
  }

  private String ask(String host) throws IOException {
    Socket open = socket;
    InputStream from = in;
    if (open == null || from == null) {
      open = new Socket();
      open.setTcpNoDelay(true);
      open.setSoTimeout(TIMEOUT_MILLIS);
      socket = open;
      open.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
      from = new BufferedInputStream(open.getInputStream());
      in = from;
    }
    open.getOutputStream()
        .write(
            "GET / HTTP/1.1\r\nHost: %s\r\n\r\n"
                .formatted(host)
                .getBytes(StandardCharsets.US_ASCII));
    boolean isOk = line(from).contains(" 200 ");
    String edit = "";
    int length = 0;
    for (String line = line(from); !line.isEmpty(); line = line(from)) {
      int colon = line.indexOf(':');
      String value = line.substring(colon + 1).strip();
      switch (line.substring(0, colon).toLowerCase(Locale.ROOT)) {
        case Objects.HEADER -> edit = value;
        case "content-length" -> length = Integer.parseInt(value);
        case "transfer-encoding" -> throw new IOException("a body of unknown length");
        default -> {}
      }
    }
    from.skipNBytes(length);
    return isOk ? edit : "";
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    while (true) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("the connection ended");
      }
      if (next == '\n') {
        return line.toString().strip();
      }
      line.append((char) next);
    }
  }

  @Override
  public void close() {
    try {
      if (socket != null) {
        socket.close();
      }
    } catch (IOException e) {
      // it was of no use any more
    }
    socket = null;
    in = null;
  }
}
