// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports for servers that go away in a test and come back. Systems give none of these to those who
 * do not ask for it, nor to outgoing connections, so nobody else listens there meanwhile; and each
 * process has others, for tests run in several at once.
 */
public final class ReservedPorts {
  private static final int FIRST = 10_300;
  private static final int PROCESSES = 40;
  private static final int EACH = 240;
  private static final int LANE = FIRST + (int) (ProcessHandle.current().pid() % PROCESSES) * EACH;
  private static final AtomicInteger LAST = new AtomicInteger(new SplittableRandom().nextInt(EACH));

  private ReservedPorts() {}

  /** One of the loopback interface that nobody listens on. */
  public static int next() {
    for (int attempt = 0; attempt < EACH; attempt++) {
      int port = LANE + Math.floorMod(LAST.incrementAndGet(), EACH);
      if (isFree(port)) {
        return port;
      }
    }
    throw new IllegalStateException("no free port from " + LANE + " to " + (LANE + EACH - 1));
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
