// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.docs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/**
 * Ports that are free, in place of those that pages and examples name. They are used only later,
 * and by other processes, so they are not of the range that the system gives to those who do not
 * care.
 */
final class Ports {
  static final int XDS = 18000;
  static final int ADMIN = 19000;
  static final int HTTP = 8080;
  static final int HTTPS = 8443;
  static final int ENVOY_ADMIN = 9901;

  /** All ports by which something of a page can be reached. */
  private static final List<Integer> SHOWN =
      List.of(XDS, ADMIN, HTTP, HTTPS, 9001, 9002, 9003, 9004, ENVOY_ADMIN, 50051, 50052);

  private static final Pattern NUMBER = Pattern.compile("(?<![0-9.])[0-9]{4,5}(?![0-9])");

  /** Each process begins elsewhere, and no two pages of one get the same. */
  private static final AtomicInteger NEXT =
      new AtomicInteger(20_000 + (int) (ProcessHandle.current().pid() % 50) * 200);

  private final Map<Integer, Integer> free = new TreeMap<>();

  /** Picks one for each. */
  Ports() {
    for (int port : SHOWN) {
      free.put(port, pick());
    }
  }

  private static int pick() {
    int port = NEXT.getAndIncrement();
    while (!isFree(port)) {
      port = NEXT.getAndIncrement();
    }
    return port;
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  int inPlaceOf(int shown) {
    return free.getOrDefault(shown, shown);
  }

  /** A text with the ports that are used. */
  String put(String text) {
    return NUMBER
        .matcher(text)
        .replaceAll(match -> Integer.toString(inPlaceOf(Integer.parseInt(match.group()))));
  }
}
