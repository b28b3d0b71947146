// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import dev.holdfast.server.tls.TlsFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one place says about the admin port; null is what it does not say.
 *
 * @param address where it listens
 * @param token one that allows everything
 * @param tokens more of them, with roles
 * @param identities what callers may do by the names in their certificates
 */
public record AdminOptions(
    @Nullable ListenAddress address,
    @Nullable String token,
    @Nullable Path certificate,
    @Nullable Path key,
    @Nullable Path clientCa,
    @Nullable Path clientCrl,
    @Nullable List<AdminSecurity.Token> tokens,
    @Nullable List<AdminSecurity.Identity> identities) {
  private static final AdminOptions NONE =
      new AdminOptions(null, null, null, null, null, null, null, null);

  /** Says nothing. */
  public static AdminOptions none() {
    return NONE;
  }

  AdminOptions orElse(AdminOptions other) {
    return new AdminOptions(
        address == null ? other.address : address,
        token == null ? other.token : token,
        certificate == null ? other.certificate : certificate,
        key == null ? other.key : key,
        clientCa == null ? other.clientCa : clientCa,
        clientCrl == null ? other.clientCrl : clientCrl,
        tokens == null ? other.tokens : tokens,
        identities == null ? other.identities : identities);
  }

  /**
   * The whole, with defaults for what nobody says.
   *
   * @throws StartException if something is missing
   */
  ServeOptions.Admin complete() throws StartException {
    List<AdminSecurity.Token> all = new ArrayList<>();
    if (token != null) {
      all.addAll(AdminSecurity.ofToken(token).tokens());
    }
    if (tokens != null) {
      all.addAll(tokens);
    }
    if (identities != null && clientCa == null) {
      throw new StartException(
          "admin.identities without --admin-client-ca (expected: the CA that signs their"
              + " certificates)");
    }
    return new ServeOptions.Admin(
        address == null ? ServeOptions.DEFAULT_ADMIN : address,
        new AdminSecurity(all, tls(), identities == null ? List.of() : identities));
  }

  private @Nullable TlsFiles tls() throws StartException {
    return PortFiles.of("admin", certificate, key, clientCa, clientCrl);
  }
}
