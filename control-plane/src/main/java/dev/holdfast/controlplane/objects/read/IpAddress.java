// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.read;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/** Addresses as text. Asks no name server. */
public final class IpAddress {
  private static final Pattern V4 =
      Pattern.compile("((25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)(\\.(?!$)|$)){4}");
  private static final Pattern V6 = Pattern.compile("[0-9a-fA-F:]*:[0-9a-fA-F:.]*");

  private IpAddress() {}

  public static boolean isV4(String text) {
    return V4.matcher(text).matches();
  }

  public static boolean isV6(String text) {
    if (!V6.matcher(text).matches()) {
      return false;
    }
    try {
      InetAddress.getByName(text); // what has a colon is never looked up
      return true;
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
