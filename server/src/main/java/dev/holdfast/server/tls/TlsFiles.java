// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.tls;

import static java.util.Objects.requireNonNull;

import dev.holdfast.base.tls.PemFiles;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files that TLS on a port is made of, all PEM.
 *
 * @param certificate that of the server, with its chain
 * @param key of the certificate
 * @param clientCa the authorities that sign the certificates of clients; null if clients need none
 * @param clientCrl the revocation lists of these authorities; null if there are none
 */
public record TlsFiles(
    Path certificate, Path key, @Nullable Path clientCa, @Nullable Path clientCrl) {
  public TlsFiles {
    requireNonNull(certificate, "certificate");
    requireNonNull(key, "key");
    if (clientCrl != null && clientCa == null) {
      throw new IllegalArgumentException("clientCrl without clientCa");
    }
  }

  /**
   * Reads all of them.
   *
   * @throws GeneralSecurityException names the file that cannot be used, and why
   */
  TlsMaterial read(Instant now) throws GeneralSecurityException {
    TlsMaterial material =
        new TlsMaterial(
            PemFiles.keyAndChain(certificate, key),
            clientCa == null ? List.of() : List.of(PemFiles.certificates(clientCa)),
            clientCrl == null ? List.of() : PemFiles.revocationLists(clientCrl));
    if (now.isAfter(material.notAfter())) {
      throw new GeneralSecurityException(
          certificate + ": expired on " + material.notAfter() + " (expected: a renewed one)");
    }
    if (now.isBefore(material.notBefore())) {
      throw new GeneralSecurityException(
          certificate + ": not valid before " + material.notBefore() + " (is the clock right?)");
    }
    if (clientCrl != null) {
      material.checkRevocationLists(clientCrl);
    }
    return material;
  }
}
