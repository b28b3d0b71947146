// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.tls;

import dev.holdfast.base.TimeSource;
import dev.holdfast.controlplane.log.LimitedLog;
import dev.holdfast.controlplane.log.LogArea;
import dev.holdfast.controlplane.log.LogLine;
import io.grpc.netty.shaded.io.netty.handler.ssl.NotSslRecordException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Counts and logs clients that TLS did not let in. Thread-safe. */
public final class RefusedClients implements AutoCloseable {
  private static final String ALERT = "Received fatal alert: ";

  private final String port;
  private final LimitedLog log;
  private final SortedMap<String, Long> counts = new TreeMap<>();

  /** Why, as a label of a metric and as a sentence. */
  record Reason(String word, String text) {}

  /**
   * @param port its name, for messages
   */
  public RefusedClients(String port, TimeSource time) {
    this.port = port;
    this.log = new LimitedLog(time, Runnable::run, LogLine::log);
  }

  /** A handshake failed; a connection that just ended was none. */
  public void handshakeFailed(@Nullable SocketAddress client, Throwable error) {
    Reason reason = reason(error);
    if (reason != null) {
      refused(client, reason);
    }
  }

  /** A client that was connected is not trusted any more. */
  public void disconnected(@Nullable SocketAddress client, Throwable error) {
    Reason reason = reason(error);
    refused(client, reason == null ? new Reason("other", text(error)) : reason);
  }

  private void refused(@Nullable SocketAddress client, Reason reason) {
    synchronized (counts) {
      counts.merge(reason.word(), 1L, Long::sum);
    }
    log.log(
        host(client),
        () ->
            LogArea.SERVER
                .warn("client-refused")
                .with(LogLine.ADDRESS, name(client))
                .with(LogLine.REASON, reason.word())
                .text(
                    "refused a client of the "
                        + port
                        + " port at "
                        + name(client)
                        + ": "
                        + reason.text()));
  }

  /** How many were refused since the start, by reason. */
  public SortedMap<String, Long> counts() {
    synchronized (counts) {
      return new TreeMap<>(counts);
    }
  }

  private static String host(@Nullable SocketAddress client) {
    return client instanceof InetSocketAddress inet && inet.getAddress() != null
        ? inet.getAddress().getHostAddress()
        : "unknown";
  }

  private static String name(@Nullable SocketAddress client) {
    return client instanceof InetSocketAddress inet
        ? host(client) + ":" + inet.getPort()
        : "an unknown address";
  }

  /** Why a handshake failed; null if the client only went away. */
  static @Nullable Reason reason(Throwable error) {
    Throwable deepest = error;
    for (Throwable each = error; each != null; each = each.getCause()) {
      deepest = each;
      if (each instanceof ClientTrust.RevokedException) {
        return new Reason("revoked", text(each));
      }
      if (each instanceof CertificateExpiredException) {
        return new Reason("expired", "its certificate has expired: " + text(each));
      }
      if (each instanceof CertificateNotYetValidException) {
        return new Reason("expired", "its certificate is not valid yet: " + text(each));
      }
      if (each instanceof NotSslRecordException) {
        return new Reason("plaintext", "it does not speak TLS (is its bootstrap without TLS?)");
      }
      String text = text(each);
      if (text.contains("Empty client certificate chain")
          || text.contains("No client certificate")) {
        return new Reason("noCertificate", "it shows no certificate");
      }
      if (text.contains(ALERT)) {
        return new Reason(
            "rejectedServer",
            "it refuses the certificate of this server: "
                + text.substring(text.indexOf(ALERT) + ALERT.length()));
      }
    }
    for (Throwable each = error; each != null; each = each.getCause()) {
      if (each instanceof CertificateException) {
        return new Reason(
            "untrusted", "its certificate is not one of the client CA's: " + text(deepest));
      }
    }
    return error instanceof SSLException || error.getCause() instanceof SSLException
        ? new Reason("other", text(deepest))
        : null;
  }

  private static String text(Throwable error) {
    return String.valueOf(error.getMessage());
  }

  @Override
  public void close() {
    log.close();
  }
}
