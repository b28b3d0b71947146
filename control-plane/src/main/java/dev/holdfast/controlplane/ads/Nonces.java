// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

/**
 * Names of responses. The version of a SotW response tells its content and is still never used
 * twice on a stream: a reply that shows it then means that this very response was accepted.
 */
final class Nonces {
  private static final char SEPARATOR = '-';

  private long last;

  String next() {
    return Long.toString(++last);
  }

  static String version(String digest, String nonce) {
    return digest + SEPARATOR + nonce;
  }

  /** The part of a version that tells the content. */
  static String digest(String version) {
    int separator = version.indexOf(SEPARATOR);
    return separator < 0 ? version : version.substring(0, separator);
  }
}
