// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.hash;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * XXH64 with seed 0: what gRFC A42 places calls and endpoints on a ring by, and what other clients
 * and proxies compute for the same bytes. ASCII texts, which is nearly all of them, are read in
 * place: nothing is copied.
 */
public final class XxHash64 {
  private static final long PRIME_1 = 0x9E3779B185EBCA87L;
  private static final long PRIME_2 = 0xC2B2AE3D27D4EB4FL;
  private static final long PRIME_3 = 0x165667B19E3779F9L;
  private static final long PRIME_4 = 0x85EBCA77C2B2AE63L;
  private static final long PRIME_5 = 0x27D4EB2F165667C5L;
  private static final long PRIME_1_PLUS_2 = 0x60EA27EEADC0B5D6L; // with the carry lost

  private XxHash64() {}

  /**
   * The hash of the value of a header. What is not ASCII counts as question marks, which is what
   * becomes of it on the wire.
   */
  public static long hash(String value) {
    return hashBytes(isAscii(value) ? value : new String(value.getBytes(US_ASCII), US_ASCII));
  }

  /** The hash of the UTF-8 form of a text. */
  public static long hashUtf8(String text) {
    return hashBytes(isAscii(text) ? text : new String(text.getBytes(UTF_8), ISO_8859_1));
  }

  private static boolean isAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 0x80) {
        return false;
      }
    }
    return true;
  }

  /** The hash of bytes that are given as characters below 256. */
  private static long hashBytes(String text) {
    int length = text.length();
    int at = 0;
    long hash;
    if (length >= 32) {
      long a = PRIME_1_PLUS_2;
      long b = PRIME_2;
      long c = 0;
      long d = -PRIME_1;
      for (; at <= length - 32; at += 32) {
        a = round(a, eight(text, at));
        b = round(b, eight(text, at + 8));
        c = round(c, eight(text, at + 16));
        d = round(d, eight(text, at + 24));
      }
      hash =
          Long.rotateLeft(a, 1)
              + Long.rotateLeft(b, 7)
              + Long.rotateLeft(c, 12)
              + Long.rotateLeft(d, 18);
      hash = merge(merge(merge(merge(hash, a), b), c), d);
    } else {
      hash = PRIME_5;
    }
    return finish(hash + length, text, at);
  }

  private static long finish(long start, String text, int from) {
    long hash = start;
    int at = from;
    int length = text.length();
    for (; at <= length - 8; at += 8) {
      hash = Long.rotateLeft(hash ^ round(0, eight(text, at)), 27) * PRIME_1 + PRIME_4;
    }
    if (at <= length - 4) {
      hash = Long.rotateLeft(hash ^ (four(text, at) * PRIME_1), 23) * PRIME_2 + PRIME_3;
      at += 4;
    }
    for (; at < length; at++) {
      hash = Long.rotateLeft(hash ^ (one(text, at) * PRIME_5), 11) * PRIME_1;
    }
    hash = (hash ^ (hash >>> 33)) * PRIME_2;
    hash = (hash ^ (hash >>> 29)) * PRIME_3;
    return hash ^ (hash >>> 32);
  }

  private static long round(long lane, long input) {
    return Long.rotateLeft(lane + input * PRIME_2, 31) * PRIME_1;
  }

  private static long merge(long hash, long lane) {
    return (hash ^ round(0, lane)) * PRIME_1 + PRIME_4;
  }

  private static long eight(String text, int at) {
    return four(text, at) | (four(text, at + 4) << 32);
  }

  private static long four(String text, int at) {
    return one(text, at)
        | (one(text, at + 1) << 8)
        | (one(text, at + 2) << 16)
        | (one(text, at + 3) << 24);
  }

  private static long one(String text, int at) {
    return text.charAt(at);
  }
}
