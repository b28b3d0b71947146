// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.decode;

import dev.holdfast.base.Problems;
import io.envoyproxy.envoy.config.core.v3.Address;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Socket addresses: what an endpoint, a DNS cluster and a listener have in common. */
public final class Addresses {
  private static final int MAX_PORT = 65_535;

  private Addresses() {}

  /** An IP address with a port (gRFC A27); null after reporting what is wrong. */
  public static @Nullable InetSocketAddress ip(Address proto, Problems problems) {
    if (!proto.hasSocketAddress()) {
      problems.at("socket_address").required("not set (expected: an IP address and a port)");
      return null;
    }
    SocketAddress socket = proto.getSocketAddress();
    InetAddress ip = IpLiterals.parse(socket.getAddress());
    int port = validPort(socket);
    if (ip != null && port >= 0) {
      return new InetSocketAddress(ip, port);
    }
    Problems at = problems.at("socket_address");
    if (ip == null) {
      at.at("address")
          .invalid(Text.quote(socket.getAddress()) + " (expected: an IPv4 or IPv6 address)");
    }
    if (port < 0) {
      reportPort(socket, at);
    }
    return null;
  }

  /** The port; negative after reporting what is wrong. */
  public static int port(SocketAddress socket, Problems problems) {
    int port = validPort(socket);
    if (port < 0) {
      reportPort(socket, problems);
    }
    return port;
  }

  private static int validPort(SocketAddress socket) {
    int port = socket.getPortValue();
    return socket.hasPortValue() && port <= MAX_PORT ? port : -1;
  }

  private static void reportPort(SocketAddress socket, Problems problems) {
    if (!socket.hasPortValue()) {
      problems.at("port_value").required("not set (expected: a port number)");
    } else {
      problems
          .at("port_value")
          .invalid(
              Integer.toUnsignedString(socket.getPortValue())
                  + " (expected: at most "
                  + MAX_PORT
                  + ")");
    }
  }
}
