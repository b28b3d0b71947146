// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.filter;

import dev.holdfast.xds.resources.decode.IpLiterals;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Addresses as cookies have them: {@code 10.0.0.1:80,[::1]:80}. */
final class SessionAddresses {
  private static final int MAX_PORT = 65_535;

  private SessionAddresses() {}

  static String format(List<SocketAddress> addresses) {
    return addresses.stream().map(SessionAddresses::format).collect(Collectors.joining(","));
  }

  private static String format(SocketAddress address) {
    if (address instanceof InetSocketAddress inet && inet.getAddress() != null) {
      String host = inet.getAddress().getHostAddress();
      return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + inet.getPort();
    }
    return address.toString();
  }

  /** The addresses; none if one of them is not an IP address with a port. */
  static List<SocketAddress> parse(String text) {
    List<SocketAddress> addresses = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      SocketAddress address = address(part);
      if (address == null) {
        return List.of();
      }
      addresses.add(address);
    }
    return addresses;
  }

  private static @Nullable SocketAddress address(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 1) {
      return null;
    }
    boolean bracketed = text.charAt(0) == '[' && text.charAt(colon - 1) == ']';
    InetAddress host =
        IpLiterals.parse(bracketed ? text.substring(1, colon - 1) : text.substring(0, colon));
    int port = port(text.substring(colon + 1));
    return host == null || port < 0 ? null : new InetSocketAddress(host, port);
  }

  private static int port(String text) {
    if (text.isEmpty() || text.length() > 5 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return -1;
    }
    int port = Integer.parseInt(text);
    return port > MAX_PORT ? -1 : port;
  }
}
