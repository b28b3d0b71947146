// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.http;

import java.util.List;

/**
 * Who is at the other end of a connection.
 *
 * @param address in words
 * @param local whether it is on this machine
 * @param encrypted whether nobody else can read or change what it sends
 * @param names those that it has proved with a certificate; empty if it showed none
 */
public record Peer(String address, boolean local, boolean encrypted, List<String> names) {
  public Peer {
    names = List.copyOf(names);
  }
}
