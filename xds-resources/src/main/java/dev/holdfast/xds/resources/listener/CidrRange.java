// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.listener;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * A range of addresses, normalised as gRFC A36 says, so that equal ranges are equal values.
 *
 * @param network with all bits beyond the prefix cleared
 * @param prefixLength at most the number of bits of the address
 */
public record CidrRange(InetAddress network, int prefixLength) {

  /** Cuts the length to what the address has, and clears the bits beyond it. */
  public static CidrRange of(InetAddress address, long prefixLength) {
    byte[] bytes = address.getAddress();
    int length = (int) Math.min(prefixLength, bytes.length * 8L);
    for (int bit = length; bit < bytes.length * 8; bit++) {
      bytes[bit / 8] &= (byte) ~(0x80 >> (bit % 8));
    }
    try {
      return new CidrRange(InetAddress.getByAddress(bytes), length);
    } catch (UnknownHostException e) {
      throw new AssertionError("as many bytes as the address had", e);
    }
  }
}
