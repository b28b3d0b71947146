// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.mask;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * The public part of PEM files. Certificates are sent to every client, and a certificate authority
 * has thousands of them; only what is not public needs masking.
 */
final class PublicPem {
  private static final byte[] BEGIN = "-----BEGIN ".getBytes(StandardCharsets.US_ASCII);

  private static final Pattern PUBLIC =
      Pattern.compile(
          "-----BEGIN (?<label>(?:TRUSTED )?CERTIFICATE|PUBLIC KEY|X509 CRL)-----[^-]*+"
              + "-----END \\k<label>-----\\s*+");

  /** The first and last lines of other blocks, which all keys share. */
  private static final Pattern MARKER = Pattern.compile("-----(?:BEGIN|END) [A-Z0-9 ]{1,40}-----");

  private PublicPem() {}

  /** The bytes without certificates, public keys, and the first and last lines of other blocks. */
  static byte[] strip(byte[] bytes) {
    if (!contains(bytes, BEGIN)) {
      return bytes;
    }
    // As Latin-1, every byte is a character, and stays the byte that it was.
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    String secret = PUBLIC.matcher(text).replaceAll("");
    return MARKER.matcher(secret).replaceAll("").strip().getBytes(StandardCharsets.ISO_8859_1);
  }

  private static boolean contains(byte[] bytes, byte[] part) {
    for (int i = 0; i + part.length <= bytes.length; i++) {
      int j = 0;
      while (j < part.length && bytes[i + j] == part[j]) {
        j++;
      }
      if (j == part.length) {
        return true;
      }
    }
    return false;
  }
}
