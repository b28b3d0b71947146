// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import static java.util.Objects.requireNonNull;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where to listen. An IPv6 address is written in brackets.
 *
 * @param host a name or an address, without brackets
 * @param port 0 for any that is free
 */
public record ListenAddress(String host, int port) {
  private static final Pattern SYNTAX =
      Pattern.compile("(?:\\[([0-9A-Fa-f:.]+)]|([^\\s:/\\[\\]]+)):([0-9]{1,5})");

  public ListenAddress {
    requireNonNull(host, "host");
    if (port < 0 || port > 65535) {
      throw new IllegalArgumentException("'" + port + "' (expected: a port from 0 to 65535)");
    }
  }

  /**
   * @throws IllegalArgumentException with a message for the user
   */
  public static ListenAddress parse(String text) {
    Matcher matcher = SYNTAX.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("'" + text + "' (expected: HOST:PORT)");
    }
    String host = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
    return new ListenAddress(host, Integer.parseInt(matcher.group(3)));
  }

  /** Whether only this machine can get there. */
  public boolean isLoopback() throws UnknownHostException {
    return InetAddress.getByName(host).isLoopbackAddress();
  }

  /**
   * The address as the system knows it.
   *
   * @throws UnknownHostException if there is no such host
   */
  public InetSocketAddress resolve() throws UnknownHostException {
    return new InetSocketAddress(InetAddress.getByName(host), port);
  }

  /** The same with the port that was given for 0. */
  public ListenAddress withPort(int actual) {
    return new ListenAddress(host, actual);
  }

  /** {@code host:port}, as it is written. */
  @Override
  public String toString() {
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }
}
