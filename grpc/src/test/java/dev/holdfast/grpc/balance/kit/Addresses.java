// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.kit;

import dev.holdfast.grpc.libraries.NewerGrpc;
import io.grpc.Attributes;
import io.grpc.EquivalentAddressGroup;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/** Endpoints that are told apart by their ports. */
public final class Addresses {
  private Addresses() {}

  public static InetSocketAddress address(int port) {
    try {
      return new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  /** One endpoint for each port. */
  public static List<EquivalentAddressGroup> endpoints(int... ports) {
    List<EquivalentAddressGroup> endpoints = new ArrayList<>();
    for (int port : ports) {
      endpoints.add(new EquivalentAddressGroup(address(port)));
    }
    return endpoints;
  }

  /** One endpoint with all the ports. */
  public static EquivalentAddressGroup endpoint(int... ports) {
    List<SocketAddress> addresses = new ArrayList<>();
    for (int port : ports) {
      addresses.add(address(port));
    }
    return new EquivalentAddressGroup(addresses);
  }

  public static EquivalentAddressGroup weighted(int port, long weight) {
    return new EquivalentAddressGroup(
        address(port), Attributes.newBuilder().set(NewerGrpc.ENDPOINT_WEIGHT, weight).build());
  }
}
