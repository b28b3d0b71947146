// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.certs;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** As much of ASN.1's DER encoding as a certificate needs: the JDK reads it, but writes none. */
final class Der {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

  /** The first year that is written with four digits (RFC 5280). */
  private static final int LONG_YEARS = 2050;

  private Der() {}

  static byte[] sequence(byte[]... parts) {
    return tagged(0x30, concat(parts));
  }

  static byte[] integer(BigInteger value) {
    return tagged(0x02, value.toByteArray());
  }

  static byte[] yes() {
    return tagged(0x01, new byte[] {(byte) 0xff});
  }

  static byte[] octets(byte[] content) {
    return tagged(0x04, content);
  }

  /**
   * @param unused bits at the end that do not count
   */
  static byte[] bits(int unused, byte[] content) {
    return tagged(0x03, concat(new byte[] {(byte) unused}, content));
  }

  static byte[] time(Instant value) {
    boolean isShort = value.atZone(ZoneOffset.UTC).getYear() < LONG_YEARS;
    String text = TIME.format(value);
    return tagged(
        isShort ? 0x17 : 0x18,
        (isShort ? text.substring(2) : text).getBytes(StandardCharsets.US_ASCII));
  }

  /** An object identifier: {@code "2.5.4.3"}. */
  static byte[] oid(String dotted) {
    String[] arcs = dotted.split("\\.", -1);
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    content.write(Integer.parseInt(arcs[0]) * 40 + Integer.parseInt(arcs[1]));
    for (int i = 2; i < arcs.length; i++) {
      int arc = Integer.parseInt(arcs[i]);
      for (int shift = 28; shift > 0; shift -= 7) {
        if (arc >>> shift != 0) {
          content.write(0x80 | ((arc >>> shift) & 0x7f));
        }
      }
      content.write(arc & 0x7f);
    }
    return tagged(0x06, content.toByteArray());
  }

  /** A value with a tag of the caller's choosing. */
  static byte[] tagged(int tag, byte[] content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(tag);
    int length = content.length;
    if (length >= 0x100) {
      out.write(0x82);
      out.write(length >>> 8);
    } else if (length >= 0x80) {
      out.write(0x81);
    }
    out.write(length);
    out.writeBytes(content);
    return out.toByteArray();
  }

  private static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}
