// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.probe;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Sends a probe to a listener on loopback. It believes every certificate: it asks a proxy that this
 * process started, and sends nothing that is secret.
 */
public final class ProbeClient {
  private static final int LONGEST = 16 << 10;
  private static final int LONGEST_TEXT = 200;

  private final String marker;
  private final Duration patience;

  /**
   * @param marker the header that only the sink sets
   */
  public ProbeClient(String marker, Duration patience) {
    this.marker = marker.toLowerCase(Locale.ROOT);
    this.patience = patience;
  }

  /** Asks, and waits for the answer. */
  public ProbeAnswer ask(InetSocketAddress listener, ProbeRequest request) {
    int millis = (int) patience.toMillis();
    try (Socket plain = new Socket()) {
      plain.connect(listener, millis);
      plain.setSoTimeout(millis);
      Socket socket = plain;
      if (request.isTls()) {
        try {
          socket = secured(plain, request.host());
        } catch (SSLException | SocketException e) {
          return ProbeAnswer.none(ProbeAnswer.Kind.NO_TLS, String.valueOf(e.getMessage()));
        }
      }
      socket.getOutputStream().write(bytes(request));
      socket.getOutputStream().flush();
      return answer(read(socket.getInputStream()));
    } catch (SSLException e) { // such as the wish for a certificate, with TLS 1.3
      return ProbeAnswer.none(ProbeAnswer.Kind.NO_TLS, String.valueOf(e.getMessage()));
    } catch (SocketTimeoutException e) {
      return ProbeAnswer.none(
          ProbeAnswer.Kind.SILENT, "no answer within " + millis / 1000.0 + " s");
    } catch (ConnectException e) {
      return ProbeAnswer.none(ProbeAnswer.Kind.CLOSED, "the proxy does not listen");
    } catch (IOException e) {
      return ProbeAnswer.none(ProbeAnswer.Kind.CLOSED, "the connection was closed");
    }
  }

  private static SSLSocket secured(Socket plain, String host) throws IOException {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new Believer()}, null);
      SSLSocket socket =
          (SSLSocket)
              context
                  .getSocketFactory()
                  .createSocket(plain, host, plain.getPort(), /* autoClose= */ true);
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setServerNames(List.of(new SNIHostName(host)));
      parameters.setApplicationProtocols(new String[] {"http/1.1"});
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      return socket;
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new SSLException(e);
    }
  }

  private static byte[] bytes(ProbeRequest request) {
    StringBuilder text = new StringBuilder();
    text.append(request.method())
        .append(' ')
        .append(request.path())
        .append(" HTTP/1.1\r\nhost: ")
        .append(request.host())
        .append("\r\nuser-agent: holdfast-probe\r\nconnection: close\r\n");
    request
        .headers()
        .forEach((name, value) -> text.append(name).append(": ").append(value).append("\r\n"));
    if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
      text.append("content-length: 0\r\n");
    }
    return text.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Up to the end, or as far as it is of interest. */
  private static String read(InputStream in) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] part = new byte[4096];
    while (all.size() < LONGEST) {
      int read;
      try {
        read = in.read(part);
      } catch (IOException e) {
        if (all.toString(StandardCharsets.ISO_8859_1).contains("\r\n\r\n")) {
          break; // an answer, whatever became of the rest of it
        }
        throw e;
      }
      if (read < 0) {
        break;
      }
      all.write(part, 0, read);
    }
    return all.toString(StandardCharsets.ISO_8859_1);
  }

  private ProbeAnswer answer(String text) {
    int end = text.indexOf("\r\n\r\n");
    String[] first = text.lines().findFirst().orElse("").split(" ", 3);
    if (end < 0 || first.length < 2 || !first[1].matches("[0-9]{3}")) {
      return ProbeAnswer.none(ProbeAnswer.Kind.CLOSED, "the connection was closed");
    }
    boolean isFromSink =
        text.substring(0, end)
            .lines()
            .skip(1)
            .map(line -> line.toLowerCase(Locale.ROOT))
            .anyMatch(line -> line.startsWith(marker + ":"));
    String body = text.substring(end + 4).strip();
    return new ProbeAnswer(
        ProbeAnswer.Kind.ANSWERED,
        Integer.parseInt(first[1]),
        isFromSink,
        body.substring(0, Math.min(body.length(), LONGEST_TEXT)));
  }

  /** Asks nobody who they are. */
  private static final class Believer extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
