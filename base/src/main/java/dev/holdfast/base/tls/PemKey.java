// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.base.tls;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a private key. The JDK reads PKCS#8 alone; kubeadm writes RSA keys as PKCS#1, and other
 * tools EC keys as SEC 1, which are what PKCS#8 has inside.
 */
final class PemKey {
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z ]*PRIVATE KEY)-----([^-]*)-----END");

  /** AlgorithmIdentifier of rsaEncryption. */
  private static final byte[] RSA = {
    0x30,
    0x0d,
    0x06,
    0x09,
    0x2a,
    (byte) 0x86,
    0x48,
    (byte) 0x86,
    (byte) 0xf7,
    0x0d,
    0x01,
    0x01,
    0x01,
    0x05,
    0x00
  };

  /** AlgorithmIdentifiers of EC keys on the curves P-256, P-384 and P-521. */
  private static final List<byte[]> CURVES =
      List.of(
          new byte[] {
            0x30,
            0x13,
            0x06,
            0x07,
            0x2a,
            (byte) 0x86,
            0x48,
            (byte) 0xce,
            0x3d,
            0x02,
            0x01,
            0x06,
            0x08,
            0x2a,
            (byte) 0x86,
            0x48,
            (byte) 0xce,
            0x3d,
            0x03,
            0x01,
            0x07
          },
          new byte[] {
            0x30,
            0x10,
            0x06,
            0x07,
            0x2a,
            (byte) 0x86,
            0x48,
            (byte) 0xce,
            0x3d,
            0x02,
            0x01,
            0x06,
            0x05,
            0x2b,
            (byte) 0x81,
            0x04,
            0x00,
            0x22
          },
          new byte[] {
            0x30,
            0x10,
            0x06,
            0x07,
            0x2a,
            (byte) 0x86,
            0x48,
            (byte) 0xce,
            0x3d,
            0x02,
            0x01,
            0x06,
            0x05,
            0x2b,
            (byte) 0x81,
            0x04,
            0x00,
            0x23
          });

  /** How long the secret number of an EC key is, by curve. */
  private static final List<Integer> SCALARS = List.of(32, 48, 66);

  private PemKey() {}

  static PrivateKey read(byte[] pem) throws GeneralSecurityException {
    Matcher block = BLOCK.matcher(new String(pem, StandardCharsets.US_ASCII));
    if (!block.find()) {
      throw new InvalidKeySpecException("no private key (expected: PEM)");
    }
    byte[] der;
    try {
      der = Base64.getMimeDecoder().decode(block.group(2).strip());
    } catch (IllegalArgumentException e) {
      throw new InvalidKeySpecException("the private key is not base64", e);
    }
    return switch (block.group(1)) {
      case "PRIVATE KEY" -> any(der);
      case "RSA PRIVATE KEY" -> key("RSA", wrapped(RSA, der));
      case "EC PRIVATE KEY" -> key("EC", wrapped(curve(der), der));
      default ->
          throw new InvalidKeySpecException(
              block.group(1) + " (expected: PRIVATE KEY, RSA PRIVATE KEY or EC PRIVATE KEY)");
    };
  }

  private static PrivateKey any(byte[] pkcs8) throws GeneralSecurityException {
    for (String algorithm : List.of("RSA", "EC")) {
      try {
        return key(algorithm, pkcs8);
      } catch (InvalidKeySpecException ofAnotherAlgorithm) {
        // The next one may be it.
      }
    }
    return key("Ed25519", pkcs8);
  }

  private static PrivateKey key(String algorithm, byte[] pkcs8) throws GeneralSecurityException {
    return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
  }

  /** The curve of a SEC 1 key, which its secret's length tells: sequence, version 1, octets. */
  private static byte[] curve(byte[] sec1) throws InvalidKeySpecException {
    int at = 1;
    at += (sec1[at] & 0x80) == 0 ? 1 : 1 + (sec1[at] & 0x7f);
    int length = at + 4 < sec1.length ? sec1[at + 4] & 0xff : 0;
    int known = SCALARS.indexOf(length);
    if (known < 0) {
      throw new InvalidKeySpecException("EC key of another curve (expected: P-256, P-384, P-521)");
    }
    return CURVES.get(known);
  }

  /** PKCS#8: a sequence of version 0, the algorithm, and the key as octets. */
  private static byte[] wrapped(byte[] algorithm, byte[] key) {
    ByteArrayOutputStream inside = new ByteArrayOutputStream();
    inside.writeBytes(new byte[] {0x02, 0x01, 0x00});
    inside.writeBytes(algorithm);
    inside.writeBytes(tagged(0x04, key));
    return tagged(0x30, inside.toByteArray());
  }

  private static byte[] tagged(int tag, byte[] content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(tag);
    int length = content.length;
    if (length < 0x80) {
      out.write(length);
    } else if (length < 0x100) {
      out.write(0x81);
      out.write(length);
    } else {
      out.write(0x82);
      out.write(length >> 8);
      out.write(length);
    }
    out.writeBytes(content);
    return out.toByteArray();
  }
}
