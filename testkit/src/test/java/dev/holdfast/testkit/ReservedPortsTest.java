// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReservedPortsTest {
  @Test
  void eachIsAnother() {
    Set<Integer> ports = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      assertThat(ports.add(ReservedPorts.next())).isTrue();
    }
  }

  @Test
  void noneIsOneThatSystemsGiveToOthers() {
    assertThat(ReservedPorts.next()).isBetween(10_300, 19_899);
  }

  @Test
  void oneThatIsTakenIsPassedOver() throws Exception {
    int port = ReservedPorts.next();
    try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      Set<Integer> ports = new HashSet<>();
      for (int i = 0; i < 240; i++) { // all there are
        ports.add(ReservedPorts.next());
      }
      assertThat(ports).doesNotContain(taken.getLocalPort());
    }
  }
}
