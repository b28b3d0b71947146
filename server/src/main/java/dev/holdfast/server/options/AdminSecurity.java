// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import dev.holdfast.base.NamePattern;
import dev.holdfast.server.tls.TlsFiles;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who may do what on the admin port.
 *
 * @param tokens what callers show; empty if they need not show any
 * @param tls the files for TLS; null without TLS
 * @param identities what callers may do by the names in their certificates; empty if a certificate
 *     says nothing about that
 */
public record AdminSecurity(List<Token> tokens, @Nullable TlsFiles tls, List<Identity> identities) {
  /** Everybody who can connect may do everything. */
  public static final AdminSecurity NONE = new AdminSecurity(List.of(), null, List.of());

  public AdminSecurity {
    tokens = List.copyOf(tokens);
    identities = List.copyOf(identities);
  }

  /**
   * A secret, and what those may do who know it.
   *
   * @param name for the audit log
   */
  public record Token(String name, AdminRole role, String secret) {
    /** Never the secret. */
    @Override
    public String toString() {
      return name + " (" + role.word() + ")";
    }
  }

  /** What those may do whose certificate has a name. */
  public record Identity(NamePattern name, AdminRole role) {}

  /** With one token for everything; empty for none. */
  static AdminSecurity ofToken(String token) {
    return token.isEmpty()
        ? NONE
        : new AdminSecurity(List.of(new Token("admin", AdminRole.OPERATE, token)), null, List.of());
  }

  /** Whether callers must have a certificate. */
  public boolean asksForCertificates() {
    return tls != null && tls.clientCa() != null;
  }
}
