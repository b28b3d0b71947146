// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.security;

import io.grpc.Status;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Words why there is no connection. What matters is behind what the engine says of a handshake, and
 * before what the transport says of itself.
 */
public final class TlsFailures {
  private static final int MAX_DEPTH = 20; // a chain may be a ring
  private static final int MAX_TEXT = 300;
  private static final String TRANSPORT_DETAILS = "\nChannel Pipeline: ";

  private TlsFailures() {}

  /**
   * The failure of a connection that is secured by TLS, as calls may see it.
   *
   * @param where what was connected to
   */
  public static Status explain(Status failure, String where) {
    Throwable cause = failure.getCause();
    Throwable reason = find(CertificateException.class, cause);
    if (reason == null) {
      reason = find(SSLException.class, cause);
    }
    if (reason != null && reason.getMessage() != null) {
      return Status.UNAVAILABLE
          .withDescription(where + ": no TLS connection: " + shortened(reason.getMessage()))
          .withCause(reason);
    }
    String text = String.valueOf(failure.getDescription());
    int details = text.indexOf(TRANSPORT_DETAILS);
    return Status.UNAVAILABLE
        .withDescription(where + ": " + (details < 0 ? text : text.substring(0, details)))
        .withCause(cause);
  }

  private static @Nullable Throwable find(
      Class<? extends Throwable> type, @Nullable Throwable cause) {
    Throwable at = cause;
    for (int depth = 0; at != null && depth < MAX_DEPTH; depth++) {
      if (type.isInstance(at)) {
        return at;
      }
      at = at.getCause();
    }
    return null;
  }

  /** What is not TLS is quoted by the engine at full length. */
  private static String shortened(String text) {
    return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "...";
  }

  /** The innermost text of an exception. */
  static String innermost(Throwable e) {
    String text = e.getMessage();
    Throwable cause = e.getCause();
    for (int depth = 0; cause != null && depth < MAX_DEPTH; depth++) {
      if (cause.getMessage() != null) {
        text = cause.getMessage();
      }
      cause = cause.getCause();
    }
    return text == null ? e.getClass().getSimpleName() : text;
  }
}
