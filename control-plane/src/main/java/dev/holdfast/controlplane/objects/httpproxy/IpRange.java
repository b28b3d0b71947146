// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.httpproxy;

import dev.holdfast.controlplane.objects.read.IpAddress;
import org.jspecify.annotations.Nullable;

/** A range of addresses with a common prefix (CIDR). */
public record IpRange(String address, int prefixLength) {

  /** An address, or an address and a prefix length; null if the text is neither. */
  static @Nullable IpRange parse(String text) {
    int slash = text.indexOf('/');
    String address = slash < 0 ? text : text.substring(0, slash);
    int bits = IpAddress.isV4(address) ? 32 : IpAddress.isV6(address) ? 128 : -1;
    String length = slash < 0 ? String.valueOf(bits) : text.substring(slash + 1);
    if (!length.matches("0|[1-9]\\d{0,2}") || Integer.parseInt(length) > bits) {
      return null;
    }
    return new IpRange(address, Integer.parseInt(length));
  }
}
