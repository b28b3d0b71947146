// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.secret;

import java.io.ByteArrayInputStream;
import java.security.cert.CRLException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.util.ArrayList;
import java.util.List;

/** Lists of certificates that authorities have revoked. */
public record RevocationLists(List<X509CRL> lists) {
  private static final String LABEL = "X509 CRL";

  public RevocationLists {
    lists = List.copyOf(lists);
    if (lists.isEmpty()) {
      throw new IllegalArgumentException("lists: [] (expected: at least one)");
    }
  }

  /** Every PEM block must be a list. */
  static RevocationLists parse(byte[] pem) throws CertificateException {
    List<Pem> blocks = Pem.parse(pem);
    if (blocks.isEmpty()) {
      throw new CertificateException(
          "no PEM block found (expected: -----BEGIN " + LABEL + "-----)");
    }
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    List<X509CRL> lists = new ArrayList<>();
    for (int i = 0; i < blocks.size(); i++) {
      Pem block = blocks.get(i);
      if (!block.label().equals(LABEL)) {
        throw new CertificateException(
            "block " + (i + 1) + " is a " + block.label() + " (expected: " + LABEL + ")");
      }
      lists.add(parse(factory, block, i));
    }
    return new RevocationLists(lists);
  }

  private static X509CRL parse(CertificateFactory factory, Pem block, int index)
      throws CertificateException {
    try {
      return (X509CRL) factory.generateCRL(new ByteArrayInputStream(block.der()));
    } catch (CRLException e) {
      throw new CertificateException(
          "block " + (index + 1) + " is not a revocation list (expected: an X.509 CRL)", e);
    }
  }
}
