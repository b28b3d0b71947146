// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.server.http.Request;
import java.security.MessageDigest;
import java.util.Set;
import java.util.regex.Pattern;

/** Decides whether a request is allowed, by token or by host. */
final class AccessControl {
  /** The paths that need no token. */
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
  void check(Request request, String path) {
    host(request);
    if (!token.isEmpty() && !isOpen(path) && !hasToken(request)) {
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
  private void host(Request request) {
    String host = request.only("Host");
    if (host == null) {
      if (!request.protocol().equals("HTTP/1.0")) {
        throw HttpProblem.badRequest("header Host: missing or repeated (expected: exactly one)");
      }
    } else if (loopback && !LOOPBACK.matcher(host).matches()) {
      throw HttpProblem.forbiddenHost(host);
    }
  }

  private boolean hasToken(Request request) {
    String given = request.only("Authorization");
    return given != null
        && given.regionMatches(/* ignoreCase= */ true, 0, SCHEME, 0, SCHEME.length())
        && MessageDigest.isEqual( // takes as long whatever was guessed
            given.substring(SCHEME.length()).strip().getBytes(UTF_8), token.getBytes(UTF_8));
  }
}
