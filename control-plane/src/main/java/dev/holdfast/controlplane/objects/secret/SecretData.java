// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.secret;

import dev.holdfast.controlplane.objects.read.Fields;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.util.Base64;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Reads the entries of a secret. Messages never contain their content. */
final class SecretData {
  private final Fields fields;
  private final SortedMap<String, String> encoded;
  private final SortedMap<String, String> plain;

  private SecretData(
      Fields fields, SortedMap<String, String> encoded, SortedMap<String, String> plain) {
    this.fields = fields;
    this.encoded = encoded;
    this.plain = plain;
  }

  static SecretData read(Fields fields) {
    SecretData data =
        new SecretData(fields, fields.dictionary("data"), fields.dictionary("stringData"));
    data.encoded
        .keySet()
        .forEach(
            name -> {
              if (data.decoded(name) == null) {
                fields.invalid(
                    "data", name, "not base64 (expected: base64; plain text goes into stringData)");
              }
            });
    return data;
  }

  void require(String name) {
    if (!encoded.containsKey(name) && !plain.containsKey(name)) {
      fields.missing(name(name), "missing");
    }
  }

  /** The entry; null if it is absent or cannot be decoded. {@code stringData} takes precedence. */
  byte @Nullable [] bytes(String name) {
    String text = plain.get(name);
    return text != null ? text.getBytes(StandardCharsets.UTF_8) : decoded(name);
  }

  private byte @Nullable [] decoded(String name) {
    String text = encoded.get(name);
    if (text == null) {
      return null;
    }
    try {
      return Base64.getDecoder().decode(text.replaceAll("\\s", ""));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** The entry as certificates; null if it is absent, or if a problem was reported. */
  @Nullable CertificateChain chain(String name) {
    byte[] pem = bytes(name);
    if (pem == null) {
      return null;
    }
    try {
      return CertificateChain.parse(pem);
    } catch (CertificateException e) {
      invalid(name, e.getMessage() == null ? "not a certificate" : e.getMessage());
      return null;
    }
  }

  /** The entry as revocation lists; null if it is absent, or if a problem was reported. */
  @Nullable RevocationLists revocations(String name) {
    byte[] pem = bytes(name);
    if (pem == null) {
      return null;
    }
    try {
      return RevocationLists.parse(pem);
    } catch (CertificateException e) {
      invalid(name, e.getMessage() == null ? "not a revocation list" : e.getMessage());
      return null;
    }
  }

  void invalid(String name, String message) {
    fields.invalid(plain.containsKey(name) ? "stringData" : "data", name, message);
  }

  private static String name(String entry) {
    return "data[\"" + entry + "\"]";
  }
}
