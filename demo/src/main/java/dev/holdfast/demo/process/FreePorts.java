// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Ports that a server can be started on, and started again: below those that systems give to
 * outgoing connections, one of which would else take the port while its server is away.
 */
public final class FreePorts {
  private static final int FIRST = 20_000;
  private static final int END = 32_000;
  private static final int ATTEMPTS = 1_000;

  private final RandomGenerator random;
  private final Set<Integer> given = new HashSet<>();

  public FreePorts(RandomGenerator random) {
    this.random = random;
  }

  /** One that nobody listens on, and that was not given before. */
  public int next() throws IOException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = random.nextInt(FIRST, END);
      if (isFree(port) && given.add(port)) {
        return port;
      }
    }
    throw new IOException("no free port on loopback from " + FIRST + " to " + (END - 1));
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
