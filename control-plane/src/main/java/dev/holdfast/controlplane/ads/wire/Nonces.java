// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

/**
 * The nonces and versions of one stream's responses. A SotW version is the digest of the content
 * followed by the nonce: it identifies the content, and yet no version is used twice on a stream. A
 * request that repeats the version therefore acknowledges that very response.
 */
public final class Nonces {
  private static final char SEPARATOR = '-';

  private long last;

  public String next() {
    return Long.toString(++last);
  }

  /**
   * The version of a response.
   *
   * @param which tells it from all other responses
   */
  public static String version(String digest, String which) {
    return digest + SEPARATOR + which;
  }

  /** The part of a version that identifies the content. */
  public static String digest(String version) {
    int separator = version.indexOf(SEPARATOR);
    return separator < 0 ? version : version.substring(0, separator);
  }
}
