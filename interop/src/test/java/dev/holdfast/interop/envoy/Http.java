// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.envoy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A client that sends exactly what a test says: any Host, any path, TLS with any SNI or none. One
 * connection per request, HTTP/1.1, redirects are not followed.
 */
public final class Http {
  private static final int TIMEOUT_MILLIS = 60_000;

  private final InetSocketAddress server;
  private final int port;
  private final @Nullable Tls tls;

  private Http(InetSocketAddress server, @Nullable Tls tls) {
    this.server = server;
    this.port = server.getPort();
    this.tls = tls;
  }

  /** Talks to a port on loopback. */
  public static Http on(int port) {
    return on(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  /** Talks to a server. */
  public static Http on(InetSocketAddress server) {
    return new Http(server, null);
  }

  public int port() {
    return port;
  }

  /** The same, encrypted. */
  public Http with(Tls how) {
    return new Http(server, how);
  }

  public Request get(String path) {
    return new Request("GET", path, "");
  }

  public Request post(String path, String body) {
    return new Request("POST", path, body);
  }

  public Request method(String method, String path) {
    return new Request(method, path, "");
  }

  /** A request that is being put together. */
  public final class Request {
    private final String method;
    private final String path;
    private final String body;
    private final Map<String, String> headers = new LinkedHashMap<>();

    private Request(String method, String path, String body) {
      this.method = method;
      this.path = path;
      this.body = body;
      headers.put("Host", "localhost");
    }

    /** Whom to ask for. */
    public Request host(String host) {
      return header("Host", host);
    }

    /** Sets a header; names are compared as they are written. */
    public Request header(String name, String value) {
      headers.put(name, value);
      return this;
    }

    /** Sends it and waits for the whole answer. */
    public Response send() {
      try (Socket socket = connect()) {
        socket.getOutputStream().write(bytes());
        socket.getOutputStream().flush();
        return HttpReader.read(socket.getInputStream(), method);
      } catch (IOException e) {
        throw new UncheckedIOException(method + " " + path + " on port " + port, e);
      }
    }

    private byte[] bytes() {
      StringBuilder head =
          new StringBuilder().append(method).append(' ').append(path).append(" HTTP/1.1\r\n");
      headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
      byte[] content = body.getBytes(StandardCharsets.UTF_8);
      if (content.length > 0 || method.equals("POST") || method.equals("PUT")) {
        head.append("Content-Length: ").append(content.length).append("\r\n");
      }
      if (!headers.containsKey("Connection")) {
        head.append("Connection: close\r\n");
      }
      return head.append("\r\n").append(body).toString().getBytes(StandardCharsets.UTF_8);
    }
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      socket.connect(server, TIMEOUT_MILLIS);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      return tls == null ? socket : tls.wrap(socket);
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  /**
   * An answer.
   *
   * @param status its code
   * @param headers its headers in order, names in lower case
   * @param body its content as text
   */
  public record Response(int status, List<Map.Entry<String, String>> headers, String body) {
    /** A header; empty if it is not there, joined with commas if it is there several times. */
    public String header(String name) {
      return String.join(",", headers(name));
    }

    /** All values of a header. */
    public List<String> headers(String name) {
      List<String> values = new ArrayList<>();
      headers.forEach(
          header -> {
            if (header.getKey().equalsIgnoreCase(name)) {
              values.add(header.getValue());
            }
          });
      return values;
    }

    /** The request as the {@link Backend} saw it. */
    public Echo echo() {
      return Echo.parse(body);
    }

    /** The backend that answered; empty if none of ours did. */
    public String backend() {
      return header("x-backend");
    }
  }
}
