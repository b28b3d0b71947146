// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.server.http.Peer;
import dev.holdfast.server.http.Request;
import dev.holdfast.server.options.AdminRole;
import dev.holdfast.server.options.AdminSecurity;
import java.security.MessageDigest;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Decides what a caller may do, by token, by certificate and by host. */
final class AccessControl {
  /** The paths that need no token. */
  private static final Set<String> OPEN = Set.of("/healthz", "/readyz");

  private static final Pattern LOOPBACK =
      Pattern.compile(
          "(?i)(localhost\\.?|127\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}|\\[::1])(:[0-9]{1,5})?");

  private static final String SCHEME = "bearer ";

  private final AdminSecurity security;
  private final boolean loopback;

  /**
   * @param loopback whether only this machine can connect
   */
  AccessControl(AdminSecurity security, boolean loopback) {
    this.security = security;
    this.loopback = loopback;
  }

  /**
   * @return who calls
   * @throws HttpProblem if the caller may not even read
   */
  Caller check(Request request, Peer peer, String path) {
    host(request);
    Caller caller = caller(request, peer);
    if (!isOpen(path) && !caller.mayRead()) {
      throw HttpProblem.unauthorized();
    }
    return caller;
  }

  /**
   * @throws HttpProblem if the caller may read only
   */
  void checkWrite(Caller caller, Peer peer) {
    if (!caller.mayOperate()) {
      throw HttpProblem.forbidden(
          "ROLE_NOT_ALLOWED",
          "role: " + caller.name() + " may only read (expected: the role operate)");
    }
    if (!peer.encrypted() && !peer.local()) {
      throw HttpProblem.forbidden(
          "NOT_ENCRYPTED",
          "nothing is changed over a network without TLS (expected: --admin-certificate and"
              + " --admin-key at the server, or a call from its own machine)");
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

  /** A token and a certificate each give a role; the caller has the higher one. */
  private Caller caller(Request request, Peer peer) {
    AdminSecurity.Token token = token(request);
    AdminSecurity.Identity identity = identity(peer);
    if (token != null && (identity == null || identity.role() != AdminRole.OPERATE)) {
      return new Caller("token " + token.name(), token.role());
    }
    String name = peer.names().isEmpty() ? Caller.ANONYMOUS : peer.names().get(0);
    if (identity != null) {
      return new Caller(name, identity.role());
    }
    boolean isEverybody = security.tokens().isEmpty() && security.identities().isEmpty();
    return new Caller(name, isEverybody ? AdminRole.OPERATE : null);
  }

  private AdminSecurity.@Nullable Token token(Request request) {
    String given = request.only("Authorization");
    if (given == null
        || !given.regionMatches(/* ignoreCase= */ true, 0, SCHEME, 0, SCHEME.length())) {
      return null;
    }
    byte[] shown = given.substring(SCHEME.length()).strip().getBytes(UTF_8);
    AdminSecurity.Token found = null;
    for (AdminSecurity.Token token : security.tokens()) {
      boolean same = MessageDigest.isEqual(shown, token.secret().getBytes(UTF_8));
      found = same ? token : found; // takes as long whatever was guessed
    }
    return found;
  }

  /** The first rule that one of the names matches. */
  private AdminSecurity.@Nullable Identity identity(Peer peer) {
    for (AdminSecurity.Identity identity : security.identities()) {
      if (peer.names().stream().anyMatch(name -> identity.name().matches(name, List.of()))) {
        return identity;
      }
    }
    return null;
  }
}
