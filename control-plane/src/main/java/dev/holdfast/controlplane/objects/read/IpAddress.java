// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.read;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses IP addresses without ever asking a name server. */
public final class IpAddress {
  private static final Pattern V4 =
      Pattern.compile("((25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)(\\.(?!$)|$)){4}");
  private static final Pattern V6 =
      Pattern.compile("([0-9a-fA-F]{0,4}:){2,8}([0-9a-fA-F]{0,4}|(?<v4>[0-9.]+))");

  private IpAddress() {}

  public static boolean isV4(String text) {
    return V4.matcher(text).matches();
  }

  public static boolean isV6(String text) {
    // The JDK is more lenient than other parsers: it ignores leading zeros.
    Matcher groups = V6.matcher(text);
    if (!groups.matches() || (groups.group("v4") != null && !isV4(groups.group("v4")))) {
      return false;
    }
    try {
      InetAddress.getByName(text); // a text with a colon is never looked up
      return true;
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
