// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.secret;

import dev.holdfast.controlplane.objects.read.DecodingContext;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a private key belongs to a certificate. Messages never contain anything of the key.
 */
final class KeyCheck {
  private static final int MIN_RSA_BITS = 2048;
  private static final Set<String> LABELS =
      Set.of("PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY");
  private static final byte[] CHALLENGE = "holdfast".getBytes(StandardCharsets.US_ASCII);

  private KeyCheck() {}

  /** Why Envoy would reject this certificate; null if it accepts it. */
  static @Nullable String certificateProblem(X509Certificate certificate) {
    PublicKey key = certificate.getPublicKey();
    if (key instanceof RSAPublicKey rsa && rsa.getModulus().bitLength() < MIN_RSA_BITS) {
      return "RSA of "
          + rsa.getModulus().bitLength()
          + " bits (expected: at least "
          + MIN_RSA_BITS
          + ")";
    }
    return signature(key) == null
        ? DecodingContext.notSupported(
            "a certificate with a key of type " + key.getAlgorithm() + " (expected: RSA or EC)")
        : null;
  }

  /** The problem with the key; null if there is none. */
  static @Nullable String keyProblem(byte[] pem, X509Certificate certificate) {
    List<Pem> keys =
        Pem.parse(pem).stream().filter(block -> block.label().endsWith("PRIVATE KEY")).toList();
    if (keys.size() != 1) {
      return keys.size() + " private keys in it (expected: one, in PEM)";
    }
    if (!LABELS.contains(keys.get(0).label())) {
      return keys.get(0).label() + " (expected: a key that is not encrypted)";
    }
    try {
      PrivateKey key = parse(keys.get(0), certificate.getPublicKey());
      return matches(key, certificate.getPublicKey())
          ? null
          : "not the key of the certificate in " + Secret.CERTIFICATE;
    } catch (GeneralSecurityException e) {
      return "not a private key of the type that the certificate in "
          + Secret.CERTIFICATE
          + " needs ("
          + certificate.getPublicKey().getAlgorithm()
          + ")";
    }
  }

  private static @Nullable String signature(PublicKey key) {
    return switch (key.getAlgorithm()) {
      case "RSA" -> "SHA256withRSA";
      case "EC" -> "SHA256withECDSA";
      default -> null;
    };
  }

  private static PrivateKey parse(Pem block, PublicKey expected) throws GeneralSecurityException {
    byte[] pkcs8 = block.label().equals("PRIVATE KEY") ? block.der() : wrap(block.der(), expected);
    return KeyFactory.getInstance(expected.getAlgorithm())
        .generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
  }

  private static boolean matches(PrivateKey key, PublicKey expected)
      throws GeneralSecurityException {
    Signature signature = Signature.getInstance(String.valueOf(signature(expected)));
    signature.initSign(key);
    signature.update(CHALLENGE);
    byte[] signed = signature.sign();
    signature.initVerify(expected);
    signature.update(CHALLENGE);
    return signature.verify(signed);
  }

  /**
   * Wraps an older key format in PKCS #8, the only one that the JDK reads: SEQUENCE { INTEGER 0,
   * algorithm, OCTET STRING { the older form } }. The algorithm is copied from the certificate's
   * public key, whose first element it is: if the private key has another algorithm, the keys do
   * not belong together anyway.
   */
  private static byte[] wrap(byte[] der, PublicKey expected) throws GeneralSecurityException {
    byte[] publicKey = expected.getEncoded();
    int start = 1 + lengthOfLength(publicKey, 1);
    if (publicKey.length < start + 2) {
      throw new GeneralSecurityException("the public key has no algorithm");
    }
    int header = 1 + lengthOfLength(publicKey, start + 1);
    int end = start + header + length(publicKey, start + 1);
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    content.writeBytes(new byte[] {0x02, 0x01, 0x00});
    content.write(publicKey, start, end - start);
    writeElement(content, 0x04, der);
    ByteArrayOutputStream pkcs8 = new ByteArrayOutputStream();
    writeElement(pkcs8, 0x30, content.toByteArray());
    return pkcs8.toByteArray();
  }

  private static int lengthOfLength(byte[] der, int at) {
    return (der[at] & 0x80) == 0 ? 1 : 1 + (der[at] & 0x7f);
  }

  private static int length(byte[] der, int at) {
    if ((der[at] & 0x80) == 0) {
      return der[at];
    }
    int length = 0;
    for (int i = 1; i <= (der[at] & 0x7f); i++) {
      length = (length << 8) | (der[at + i] & 0xff);
    }
    return length;
  }

  private static void writeElement(ByteArrayOutputStream out, int tag, byte[] content) {
    out.write(tag);
    int bytes = (Integer.SIZE - Integer.numberOfLeadingZeros(content.length) + 7) / 8;
    if (content.length >= 0x80) {
      out.write(0x80 | bytes);
    }
    for (int i = Math.max(bytes, 1) - 1; i >= 0; i--) {
      out.write(content.length >> (8 * i));
    }
    out.writeBytes(content);
  }
}
