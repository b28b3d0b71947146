// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import java.security.MessageDigest;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Who may ask. */
final class AccessControl {
  /** For those who only want to know whether the process lives. */
  private static final Set<String> OPEN = Set.of("/healthz", "/readyz");

  private static final Pattern LOOPBACK =
      Pattern.compile(
          "(?i)(localhost\\.?|127\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}|\\[::1])(:[0-9]{1,5})?");

  private static final String SCHEME = "bearer ";

  private final String token;
  private final boolean loopback;

  /**
   * @param token empty if none is needed
   * @param loopback whether only this machine can connect
   */
  AccessControl(String token, boolean loopback) {
    this.token = token;
    this.loopback = loopback;
  }

  /**
   * @throws HttpProblem if the caller may not
   */
  void check(HttpExchange exchange, String path) {
    host(exchange);
    if (!token.isEmpty() && !isOpen(path) && !hasToken(exchange)) {
      throw HttpProblem.unauthorized();
    }
  }

  private static boolean isOpen(String path) {
    return OPEN.contains(path) || ConsoleHandler.isOne(path);
  }

  /**
   * A page from elsewhere can make a browser on this machine connect to us, under the page's own
   * name (DNS rebinding). The browser then says that name.
   */
  private void host(HttpExchange exchange) {
    String host = only(exchange.getRequestHeaders().get("Host"));
    if (host == null) {
      if (!exchange.getProtocol().equals("HTTP/1.0")) {
        throw HttpProblem.badRequest("header Host: missing, or more than one (expected: one)");
      }
    } else if (loopback && !LOOPBACK.matcher(host).matches()) {
      throw HttpProblem.forbiddenHost(host);
    }
  }

  private boolean hasToken(HttpExchange exchange) {
    String given = only(exchange.getRequestHeaders().get("Authorization"));
    return given != null
        && given.regionMatches(/* ignoreCase= */ true, 0, SCHEME, 0, SCHEME.length())
        && MessageDigest.isEqual( // takes as long whatever was guessed
            given.substring(SCHEME.length()).strip().getBytes(UTF_8), token.getBytes(UTF_8));
  }

  private static @Nullable String only(@Nullable List<String> values) {
    return values != null && values.size() == 1 ? values.get(0) : null;
  }
}
