// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.tls;

import io.grpc.util.CertificateUtils;
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
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Map;

/** Certificates and keys in PEM files. Exceptions name the file. */
public final class PemFiles {
  private static final Map<String, String> SIGNATURES =
      Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA");

  private PemFiles() {}

  /** At least one certificate. */
  public static X509Certificate[] certificates(Path file) throws GeneralSecurityException {
    try (InputStream in = Files.newInputStream(file)) {
      X509Certificate[] found = CertificateUtils.getX509Certificates(in);
      if (found.length == 0) {
        throw new CertificateException("holds no certificate (expected: PEM)");
      }
      return found;
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      throw unusable(file, e);
    }
  }

  /** The key that belongs to a certificate; another one is refused. */
  public static PrivateKey privateKey(Path file, X509Certificate certificate)
      throws GeneralSecurityException {
    PrivateKey key;
    try (InputStream in = Files.newInputStream(file)) {
      key = CertificateUtils.getPrivateKey(in);
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
