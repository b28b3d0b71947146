// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.service;

import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.IpAddress;
import dev.holdfast.controlplane.objects.read.TextRule;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The names that a service of type ExternalName may have. The proxy itself is not among them: an
 * author could reach its administration port that way.
 */
final class ExternalNames {
  private static final Pattern DNS =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\\.?");
  private static final Set<String> OWN = Set.of("localhost", "localhost.localdomain");
  private static final int LONGEST = 253;

  private static final TextRule NAME =
      TextRule.checked(
          "a lower-case DNS name, or an address, that is not of the proxy itself",
          ExternalNames::isElsewhere);

  private ExternalNames() {}

  static String decode(Fields fields) {
    return fields.textOrEmpty("externalName", NAME);
  }

  private static boolean isElsewhere(String text) {
    String name = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
    if (IpAddress.isV4(name) || IpAddress.isV6(name)) {
      return isOther(name);
    }
    return name.length() <= LONGEST
        && DNS.matcher(text).matches()
        && !OWN.contains(name)
        && !name.endsWith(".localhost")
        && !name.matches("[0-9.]+");
  }

  private static boolean isOther(String address) {
    try {
      InetAddress ip = InetAddress.getByName(address); // an address is never looked up
      return !ip.isLoopbackAddress() && !ip.isAnyLocalAddress() && !ip.isLinkLocalAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
