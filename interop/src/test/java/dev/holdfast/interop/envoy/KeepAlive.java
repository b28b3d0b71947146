// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.envoy;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A client that sends one request after the other on one connection, as browsers and proxies do. A
 * connection that was closed while it was idle is opened again and the request repeated, which is
 * what every client does (RFC 9112, section 9.3.1); one that fails at once is an error. Not
 * thread-safe.
 */
public final class KeepAlive implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 20_000;

  private final int port;
  private final @Nullable Tls tls;
  private @Nullable Socket socket;
  private @Nullable InputStream in;
  private long reconnects;

  public KeepAlive(int port, @Nullable Tls tls) {
    this.port = port;
    this.tls = tls;
  }

  /** How often a connection turned out to be closed. */
  public long reconnects() {
    return reconnects;
  }

  public Http.Response get(String host, String path) throws IOException {
    boolean reused = socket != null;
    try {
      Http.Response response = exchange(host, path);
      if (response.header("connection").equalsIgnoreCase("close")) {
        close();
      }
      return response;
    } catch (Unanswered e) {
      close();
      if (!reused) {
        throw e;
      }
      reconnects++;
      return exchange(host, path);
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  /** The connection ended before the first byte of an answer. */
  private static final class Unanswered extends IOException {
    private static final long serialVersionUID = 1;

    Unanswered(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  private Http.Response exchange(String host, String path) throws IOException {
    Socket connected = connect();
    InputStream answers = in;
    if (answers == null) {
      throw new IllegalStateException("no connection");
    }
    try {
      connected
          .getOutputStream()
          .write(
              ("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      connected.getOutputStream().flush();
      answers.mark(1);
      if (answers.read() < 0) {
        throw new Unanswered("closed", null);
      }
    } catch (java.net.SocketException e) {
      throw new Unanswered(String.valueOf(e.getMessage()), e);
    }
    answers.reset();
    return HttpReader.read(answers, "GET");
  }

  private Socket connect() throws IOException {
    Socket current = socket;
    if (current != null) {
      return current;
    }
    Socket opened = new Socket();
    try {
      opened.setTcpNoDelay(true);
      opened.setSoTimeout(TIMEOUT_MILLIS);
      opened.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
      Socket ready = tls == null ? opened : tls.wrap(opened);
      in = new BufferedInputStream(ready.getInputStream());
      socket = ready;
      return ready;
    } catch (IOException | RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  /** Hangs up; the next request connects again. */
  @Override
  public void close() {
    Socket old = socket;
    socket = null;
    in = null;
    if (old == null) {
      return;
    }
    try {
      old.close();
    } catch (IOException e) {
      // It is of no more use, closed or not.
    }
  }
}
