// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.hash;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * XXH64 with seed 0: what gRFC A42 places calls and endpoints on a ring by, and what other clients
 * and proxies compute for the same bytes.
 */
public final class XxHash64 {
  private static final long PRIME_1 = 0x9E3779B185EBCA87L;
  private static final long PRIME_2 = 0xC2B2AE3D27D4EB4FL;
  private static final long PRIME_3 = 0x165667B19E3779F9L;
  private static final long PRIME_4 = 0x85EBCA77C2B2AE63L;
  private static final long PRIME_5 = 0x27D4EB2F165667C5L;

  /** The sum of the first two, which does not fit. */
  private static final long SUM_1_2 = 0x60EA27EEADC0B5D6L;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private XxHash64() {}

  /** The hash of the text's UTF-8 form. */
  public static long hash(String text) {
    return hash(text.getBytes(UTF_8));
  }

  /** The hash of all the bytes. */
  public static long hash(byte[] bytes) {
    int at = 0;
    long hash;
    if (bytes.length >= 32) {
      long a = SUM_1_2;
      long b = PRIME_2;
      long c = 0;
      long d = -PRIME_1;
      for (; at <= bytes.length - 32; at += 32) {
        a = round(a, (long) LONGS.get(bytes, at));
        b = round(b, (long) LONGS.get(bytes, at + 8));
        c = round(c, (long) LONGS.get(bytes, at + 16));
        d = round(d, (long) LONGS.get(bytes, at + 24));
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
    return avalanche(tail(hash + bytes.length, bytes, at));
  }

  private static long tail(long start, byte[] bytes, int from) {
    long hash = start;
    int at = from;
    for (; at <= bytes.length - 8; at += 8) {
      hash ^= round(0, (long) LONGS.get(bytes, at));
      hash = Long.rotateLeft(hash, 27) * PRIME_1 + PRIME_4;
    }
    if (at <= bytes.length - 4) {
      hash ^= Integer.toUnsignedLong((int) INTS.get(bytes, at)) * PRIME_1;
      hash = Long.rotateLeft(hash, 23) * PRIME_2 + PRIME_3;
      at += 4;
    }
    for (; at < bytes.length; at++) {
      hash ^= Byte.toUnsignedLong(bytes[at]) * PRIME_5;
      hash = Long.rotateLeft(hash, 11) * PRIME_1;
    }
    return hash;
  }

  private static long round(long accumulator, long input) {
    return Long.rotateLeft(accumulator + input * PRIME_2, 31) * PRIME_1;
  }

  private static long merge(long hash, long accumulator) {
    return (hash ^ round(0, accumulator)) * PRIME_1 + PRIME_4;
  }

  private static long avalanche(long start) {
    long hash = start;
    hash ^= hash >>> 33;
    hash *= PRIME_2;
    hash ^= hash >>> 29;
    hash *= PRIME_3;
    hash ^= hash >>> 32;
    return hash;
  }
}
