// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.secret;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A block of a PEM file. */
final class Pem {
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----\\s*([A-Za-z0-9+/=\\s]*?)-----END \\1-----");

  private final String label;
  private final byte[] der;

  private Pem(String label, byte[] der) {
    this.label = label;
    this.der = der;
  }

  String label() {
    return label;
  }

  /** The decoded content; empty if it is not base64. */
  byte[] der() {
    return der.clone();
  }

  /** All blocks in order; text between them is ignored. */
  static List<Pem> parse(byte[] text) {
    List<Pem> blocks = new ArrayList<>();
    Matcher matcher = BLOCK.matcher(new String(text, StandardCharsets.ISO_8859_1));
    while (matcher.find()) {
      try {
        String base64 = matcher.group(2).replaceAll("\\s", "");
        blocks.add(new Pem(matcher.group(1), Base64.getDecoder().decode(base64)));
      } catch (IllegalArgumentException e) {
        blocks.add(new Pem(matcher.group(1), new byte[0]));
      }
    }
    return blocks;
  }

  /** Without the content. */
  @Override
  public String toString() {
    return "PEM " + label;
  }
}
