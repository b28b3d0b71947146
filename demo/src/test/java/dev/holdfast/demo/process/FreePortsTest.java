// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Ports that are free, and stay so. */
class FreePortsTest {
  /** The numbers 0, 0, 1, 1, 2, ... within the bounds. */
  private static final class Twice implements RandomGenerator {
    private int calls;

    @Override
    public long nextLong() {
      throw new AssertionError();
    }

    @Override
    public int nextInt(int origin, int bound) {
      return origin + calls++ / 2;
    }
  }

  @Test
  void noneIsGivenTwiceAndNoneThatIsInUse() throws IOException {
    FreePorts ports = new FreePorts(new Twice());
    int first = ports.next();
    assertThat(first).isLessThan(32_000); // outgoing connections begin there
    try (ServerSocket taken =
        new ServerSocket(new FreePorts(new Twice()).next(), 1, InetAddress.getLoopbackAddress())) {
      assertThat(new FreePorts(new Twice()).next()).isGreaterThan(taken.getLocalPort());
    }
    assertThat(ports.next()).isGreaterThan(first);
  }
}
