// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.base.tls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CRLException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;

/** Certificates, keys and revocation lists in PEM files. Exceptions name the file. */
public final class PemFiles {
  private static final Map<String, String> SIGNATURES =
      Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA");

  private PemFiles() {}

  /** At least one certificate. */
  public static X509Certificate[] certificates(Path file) throws GeneralSecurityException {
    try (InputStream in = Files.newInputStream(file)) {
      X509Certificate[] found =
          CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
              .map(X509Certificate.class::cast)
              .toArray(X509Certificate[]::new);
      if (found.length == 0) {
        throw new CertificateException("holds no certificate (expected: PEM)");
      }
      return found;
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      throw unusable(file, e);
    }
  }

  /** At least one list of revoked certificates. */
  public static List<X509CRL> revocationLists(Path file) throws GeneralSecurityException {
    try (InputStream in = Files.newInputStream(file)) {
      List<X509CRL> found =
          CertificateFactory.getInstance("X.509").generateCRLs(in).stream()
              .map(X509CRL.class::cast)
              .toList();
      if (found.isEmpty()) {
        throw new CRLException("holds no revocation list (expected: PEM)");
      }
      return found;
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      throw unusable(file, e);
    }
  }

  /** A certificate chain and the key of its first certificate; another key is refused. */
  public static KeyAndChain keyAndChain(Path certificate, Path privateKey)
      throws GeneralSecurityException {
    X509Certificate[] chain = certificates(certificate);
    return new KeyAndChain(privateKey(privateKey, chain[0]), List.of(chain));
  }

  /** The key that belongs to a certificate; another one is refused. */
  public static PrivateKey privateKey(Path file, X509Certificate certificate)
      throws GeneralSecurityException {
    PrivateKey key;
    try {
      key = PemKey.read(Files.readAllBytes(file));
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      throw unusable(file, e);
    }
    if (!belongTogether(key, certificate.getPublicKey())) {
      throw new GeneralSecurityException(file + ": is not the key of the certificate");
    }
    return key;
  }

  private static boolean belongTogether(PrivateKey privateKey, PublicKey publicKey)
      throws GeneralSecurityException {
    if (!privateKey.getAlgorithm().equals(publicKey.getAlgorithm())) {
      return false;
    }
    String algorithm = SIGNATURES.get(privateKey.getAlgorithm());
    if (algorithm == null) {
      return true; // TLS will tell.
    }
    byte[] text = {1, 2, 3};
    Signature signer = Signature.getInstance(algorithm);
    signer.initSign(privateKey);
    signer.update(text);
    Signature verifier = Signature.getInstance(algorithm);
    verifier.initVerify(publicKey);
    verifier.update(text);
    return verifier.verify(signer.sign());
  }

  private static GeneralSecurityException unusable(Path file, Exception e) {
    String why;
    if (e instanceof NoSuchFileException) {
      why = "no such file";
    } else if (e instanceof AccessDeniedException) {
      why = "not allowed to read";
    } else {
      why = String.valueOf(e.getMessage());
    }
    return new GeneralSecurityException(file + ": " + why, e);
  }
}
