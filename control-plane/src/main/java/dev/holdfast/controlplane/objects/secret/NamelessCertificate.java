// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.secret;

import java.io.ByteArrayOutputStream;
import java.security.cert.CertificateException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A certificate whose issuer or subject has no name. cert-manager makes such ones, and proxies take
 * them, but Java does not read them: so it is given a copy in which they have one. The copy is only
 * looked at; its signature would not hold.
 */
final class NamelessCertificate {
  private static final int SEQUENCE = 0x30;
  private static final int VERSION = 0xa0;

  /** After the serial number and the algorithm: the issuer, the validity, the subject. */
  private static final int ISSUER = 2;

  private static final int SUBJECT = 4;

  /** CN=- */
  private static final byte[] NAME = {
    SEQUENCE, 12, 0x31, 10, SEQUENCE, 8, 6, 3, 0x55, 4, 3, 0x0c, 1, '-'
  };

  private NamelessCertificate() {}

  /**
   * The certificate with names where it has none.
   *
   * @throws CertificateException if it is not built like a certificate
   */
  static byte[] withNames(byte[] der) throws CertificateException {
    try {
      List<byte[]> certificate = elements(content(der));
      List<byte[]> fields = elements(content(certificate.get(0)));
      int first = (fields.get(0)[0] & 0xff) == VERSION ? 1 : 0;
      for (int field : new int[] {first + ISSUER, first + SUBJECT}) {
        byte[] name = fields.get(field);
        if ((name[0] & 0xff) == SEQUENCE && content(name).length == 0) {
          fields.set(field, NAME);
        }
      }
      certificate.set(0, sequence(fields));
      return sequence(certificate);
    } catch (IndexOutOfBoundsException e) {
      throw new CertificateException("cut off, or not a certificate", e);
    }
  }

  /** What an element holds. */
  private static byte[] content(byte[] element) {
    int header = headerLength(element, 0);
    return Arrays.copyOfRange(element, header, header + contentLength(element, 0));
  }

  private static List<byte[]> elements(byte[] content) {
    List<byte[]> elements = new ArrayList<>();
    for (int at = 0; at < content.length; ) {
      int end = Math.addExact(at, headerLength(content, at) + contentLength(content, at));
      if (end > content.length || end <= at) {
        throw new IndexOutOfBoundsException("an element ends at " + end);
      }
      elements.add(Arrays.copyOfRange(content, at, end));
      at = end;
    }
    return elements;
  }

  private static int headerLength(byte[] bytes, int at) {
    int first = bytes[at + 1] & 0xff;
    return first < 0x80 ? 2 : 2 + (first & 0x7f);
  }

  private static int contentLength(byte[] bytes, int at) {
    int first = bytes[at + 1] & 0xff;
    if (first < 0x80) {
      return first;
    }
    int digits = first & 0x7f;
    if (digits == 0 || digits > 3) { // nobody's certificate has 16 MiB
      throw new IndexOutOfBoundsException("a length of " + digits + " bytes");
    }
    int length = 0;
    for (int i = 0; i < digits; i++) {
      length = (length << 8) | (bytes[at + 2 + i] & 0xff);
    }
    return length;
  }

  private static byte[] sequence(List<byte[]> elements) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    elements.forEach(content::writeBytes);
    int length = content.size();
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.write(SEQUENCE);
    if (length < 0x80) {
      all.write(length);
    } else {
      int digits = length < 0x100 ? 1 : length < 0x10000 ? 2 : 3;
      all.write(0x80 | digits);
      for (int i = digits - 1; i >= 0; i--) {
        all.write(length >>> (8 * i));
      }
    }
    all.writeBytes(content.toByteArray());
    return all.toByteArray();
  }
}
