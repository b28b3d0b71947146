// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.secret;

import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A certificate chain; the first certificate is the leaf.
 *
 * @param certificates what they say; of a {@link NamelessCertificate}, this is a copy
 * @param encoded the certificates themselves, DER in base64
 */
public record CertificateChain(List<X509Certificate> certificates, List<String> encoded) {
  public CertificateChain {
    certificates = List.copyOf(certificates);
    encoded = List.copyOf(encoded);
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
      throw new CertificateException("no PEM block found (expected: -----BEGIN CERTIFICATE-----)");
    }
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    List<X509Certificate> certificates = new ArrayList<>();
    List<String> encoded = new ArrayList<>();
    for (int i = 0; i < blocks.size(); i++) {
      Pem block = blocks.get(i);
      if (!block.label().equals("CERTIFICATE")) {
        throw new CertificateException(
            "block " + (i + 1) + " is a " + block.label() + " (expected: CERTIFICATE)");
      }
      Parsed parsed = parse(factory, block, i);
      certificates.add(parsed.certificate());
      encoded.add(parsed.encoded());
    }
    return new CertificateChain(certificates, encoded);
  }

  /** A certificate as Java reads it, and as proxies get it. */
  private record Parsed(X509Certificate certificate, String encoded) {
    static Parsed of(X509Certificate certificate, byte[] der) {
      return new Parsed(certificate, Base64.getEncoder().encodeToString(der));
    }
  }

  private static Parsed parse(CertificateFactory factory, Pem block, int index)
      throws CertificateException {
    try {
      X509Certificate certificate = parse(factory, block.der());
      return Parsed.of(certificate, certificate.getEncoded());
    } catch (CertificateException e) {
      try {
        return Parsed.of(parse(factory, NamelessCertificate.withNames(block.der())), block.der());
      } catch (CertificateException still) {
        e.addSuppressed(still);
      }
      throw new CertificateException(
          "block " + (index + 1) + " is not a certificate (expected: X.509)", e);
    }
  }

  private static X509Certificate parse(CertificateFactory factory, byte[] der)
      throws CertificateException {
    return (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(der));
  }
}
