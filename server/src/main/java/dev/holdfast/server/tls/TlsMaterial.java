// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.tls;

import dev.holdfast.base.tls.KeyAndChain;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/**
 * The content of the files, read together: a certificate never meets the key of another one.
 *
 * @param clientCa empty if clients need no certificate
 * @param revoked empty if nothing is known about revoked certificates
 */
record TlsMaterial(KeyAndChain server, List<X509Certificate> clientCa, List<X509CRL> revoked) {
  TlsMaterial {
    clientCa = List.copyOf(clientCa);
    revoked = List.copyOf(revoked);
  }

  Instant notBefore() {
    return server.certificate().getNotBefore().toInstant();
  }

  Instant notAfter() {
    return server.certificate().getNotAfter().toInstant();
  }

  /** Whether a revocation list should have been replaced by now. */
  boolean hasOutdatedList(Instant now) {
    return revoked.stream()
        .map(X509CRL::getNextUpdate)
        .anyMatch(next -> next != null && next.toInstant().isBefore(now));
  }

  /** A list that none of the authorities has signed could revoke nothing, or anything. */
  void checkRevocationLists(Path file) throws GeneralSecurityException {
    for (X509CRL list : revoked) {
      if (clientCa.stream().noneMatch(authority -> isSigned(list, authority))) {
        throw new GeneralSecurityException(
            file
                + ": the list of "
                + list.getIssuerX500Principal()
                + " is not signed by an authority of the client CA file");
      }
    }
  }

  private static boolean isSigned(X509CRL list, X509Certificate authority) {
    if (!authority.getSubjectX500Principal().equals(list.getIssuerX500Principal())) {
      return false;
    }
    try {
      list.verify(authority.getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
