// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.filter;

import dev.holdfast.grpc.config.Session;
import dev.holdfast.xds.resources.filter.SessionCookie;
import io.grpc.Metadata;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sessions by cookie (gRFC A55). The cookie holds the addresses of an endpoint (gRFC A61) and the
 * cluster of the route (gRFC A60): {@code 10.0.0.1:80,[::1]:80;cluster}, in base64. Immutable.
 */
final class SessionFilter {
  private static final Metadata.Key<String> COOKIE =
      Metadata.Key.of("cookie", Metadata.ASCII_STRING_MARSHALLER);

  private final SessionCookie cookie;
  private final String attributes;

  SessionFilter(SessionCookie cookie) {
    this.cookie = cookie;
    attributes =
        (cookie.ttl().isZero() ? "" : "; Max-Age=" + cookie.ttl().toSeconds())
            + (cookie.path().isEmpty() ? "" : "; Path=" + cookie.path())
            + "; HttpOnly";
  }

  /**
   * The session of a call; null if the cookie is not for calls like it.
   *
   * @param path with a slash at its beginning
   */
  @Nullable CallSession of(String path, Metadata headers) {
    if (!cookie.isFor(path)) {
      return null;
    }
    String value = value(headers);
    if (value == null) {
      return new CallSession(this, new Session(List.of()), "", "");
    }
    int end = value.indexOf(';');
    String addresses = end < 0 ? value : value.substring(0, end);
    List<SocketAddress> wanted = SessionAddresses.parse(addresses);
    // What is not a list of addresses is not from here: as if there were no cookie.
    return wanted.isEmpty()
        ? new CallSession(this, new Session(List.of()), "", "")
        : new CallSession(
            this, new Session(wanted), addresses, end < 0 ? "" : value.substring(end + 1));
  }

  /** The decoded value of the first cookie of that name; null if there is none. */
  private @Nullable String value(Metadata headers) {
    Iterable<String> all = headers.getAll(COOKIE);
    if (all == null) {
      return null;
    }
    for (String header : all) {
      for (String pair : header.split(";", -1)) {
        int equals = pair.indexOf('=');
        if (equals > 0 && pair.substring(0, equals).strip().equals(cookie.name())) {
          return decode(pair.substring(equals + 1).strip());
        }
      }
    }
    return null;
  }

  private static @Nullable String decode(String value) {
    boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
    try {
      return new String(
          Base64.getDecoder().decode(quoted ? value.substring(1, value.length() - 1) : value),
          StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** The value of the header that sets the cookie. */
  String setCookie(String addresses, String cluster) {
    byte[] value = (addresses + ";" + cluster).getBytes(StandardCharsets.UTF_8);
    return cookie.name() + "=" + Base64.getEncoder().encodeToString(value) + attributes;
  }
}
