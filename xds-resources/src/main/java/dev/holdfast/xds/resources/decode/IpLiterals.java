// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.decode;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** Reads IP addresses, and nothing but those: a host name must never reach a resolver from here. */
public final class IpLiterals {
  private static final int V6_GROUPS = 8;

  private IpLiterals() {}

  /** The address, or null if the text is not an IPv4 or IPv6 address. */
  public static @Nullable InetAddress parse(String text) {
    byte[] bytes = text.indexOf(':') >= 0 ? v6(text) : v4(text, 0);
    if (bytes == null) {
      return null;
    }
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new AssertionError("an address of 4 or 16 bytes is always one", e);
    }
  }

  /**
   * Four decimal numbers from {@code start} to the end; no leading zeros, which some read octal.
   */
  private static byte @Nullable [] v4(String text, int start) {
    byte[] bytes = new byte[4];
    int part = 0;
    int value = -1;
    for (int i = start; i <= text.length(); i++) {
      char c = i == text.length() ? '.' : text.charAt(i);
      if (c == '.') {
        if (value < 0 || part == 4) {
          return null;
        }
        bytes[part++] = (byte) value;
        value = -1;
      } else if (c < '0' || c > '9' || value == 0) {
        return null;
      } else {
        value = (value < 0 ? 0 : value * 10) + (c - '0');
        if (value > 255) {
          return null;
        }
      }
    }
    return part == 4 ? bytes : null;
  }

  /** Groups of hex digits, at most one {@code ::}, and possibly an IPv4 address at the end. */
  private static byte @Nullable [] v6(String text) {
    int[] groups = new int[V6_GROUPS];
    int count = 0;
    int gap = -1;
    int i = 0;
    int length = text.length();
    if (text.startsWith("::")) {
      gap = 0;
      i = 2;
    }
    while (i < length) {
      if (count == V6_GROUPS) {
        return null;
      }
      int end = groupEnd(text, i);
      if (end < length && text.charAt(end) == '.') {
        byte[] tail = count > V6_GROUPS - 2 ? null : v4(text, i);
        if (tail == null) {
          return null;
        }
        groups[count++] = (tail[0] & 0xff) << 8 | (tail[1] & 0xff);
        groups[count++] = (tail[2] & 0xff) << 8 | (tail[3] & 0xff);
        break;
      }
      if (end == i || end - i > 4) {
        return null;
      }
      groups[count++] = Integer.parseInt(text, i, end, 16);
      i = end;
      if (i == length) {
        break;
      }
      if (text.charAt(i) != ':' || i + 1 == length) {
        return null; // something else than a colon, or a single colon at the end
      }
      i++;
      if (text.charAt(i) == ':') {
        if (gap >= 0) {
          return null;
        }
        gap = count;
        i++;
      }
    }
    return spread(groups, count, gap);
  }

  private static int groupEnd(String text, int start) {
    int end = start;
    while (end < text.length()
        && Character.digit(text.charAt(end), 16) >= 0
        && text.charAt(end) < 128) {
      end++;
    }
    return end;
  }

  private static byte @Nullable [] spread(int[] groups, int count, int gap) {
    if (gap < 0 ? count != V6_GROUPS : count == V6_GROUPS) {
      return null;
    }
    byte[] bytes = new byte[2 * V6_GROUPS];
    for (int i = 0; i < count; i++) {
      int to = gap < 0 || i < gap ? i : V6_GROUPS - count + i;
      bytes[2 * to] = (byte) (groups[i] >> 8);
      bytes[2 * to + 1] = (byte) groups[i];
    }
    return bytes;
  }
}
