// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.secret;

import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/** A certificate chain; the first certificate is the leaf. */
public record CertificateChain(List<X509Certificate> certificates) {
  public CertificateChain {
    certificates = List.copyOf(certificates);
    if (certificates.isEmpty()) {
      throw new IllegalArgumentException("certificates: [] (expected: at least one)");
    }
  }

  public X509Certificate leaf() {
    return certificates.get(0);
  }

  /** Every PEM block must be a certificate: Envoy does not skip other blocks either. */
  static CertificateChain parse(byte[] pem) throws CertificateException {
    List<Pem> blocks = Pem.parse(pem);
    if (blocks.isEmpty()) {
      throw new CertificateException("no PEM in it (expected: -----BEGIN CERTIFICATE-----)");
    }
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    List<X509Certificate> certificates = new ArrayList<>();
    for (int i = 0; i < blocks.size(); i++) {
      Pem block = blocks.get(i);
      if (!block.label().equals("CERTIFICATE")) {
        throw new CertificateException(
            "block " + (i + 1) + " is a " + block.label() + " (expected: CERTIFICATE)");
      }
      certificates.add(parse(factory, block, i));
    }
    return new CertificateChain(certificates);
  }

  private static X509Certificate parse(CertificateFactory factory, Pem block, int index)
      throws CertificateException {
    try {
      return (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(block.der()));
    } catch (CertificateException e) {
      throw new CertificateException(
          "block " + (index + 1) + " is not a certificate (expected: X.509)", e);
    }
  }
}
