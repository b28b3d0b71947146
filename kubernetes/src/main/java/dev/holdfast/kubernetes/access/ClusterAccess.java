// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.kubernetes.access;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.net.URI;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * How to reach an API server.
 *
 * @param server such as {@code https://10.96.0.1:443}; it may have a path
 * @param tls whom to trust, and who we are; null for what the JDK trusts
 * @param token is asked for each request
 */
public record ClusterAccess(URI server, @Nullable SSLContext tls, Token token) {
  public ClusterAccess {
    requireNonNull(server, "server");
    requireNonNull(token, "token");
  }

  /** The address of a path, which begins with a slash. */
  public URI at(String path) {
    String base = server.toString();
    return URI.create((base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + path);
  }

  /** The server, never the token. */
  @Override
  public String toString() {
    return server.toString();
  }

  /** Gives the token of a request. */
  @FunctionalInterface
  public interface Token {
    /** The token; empty if there is none. */
    String get() throws IOException;
  }
}
