// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.serve.Docs;
import dev.holdfast.interop.serve.Plane;
import dev.holdfast.server.options.ListenAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A port that is taken says something of a machine, and nothing of anybody's configuration. */
class BindTest {
  @ParameterizedTest
  @ValueSource(strings = {"real delta", "real sotw"})
  void aPortThatIsTakenIsNobodysFault(String kind) throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Scene scene =
            Scene.of(
                kind,
                Plane.startOn(
                    new ListenAddress("127.0.0.1", taken.getLocalPort()),
                    new ListenAddress("0.0.0.0", 0),
                    "cert.yaml",
                    Hosts.certificate(),
                    "hosts.yaml",
                    Docs.of(Hosts.good("plain", false, "one"), Hosts.good("safe", true, "one"))))) {
      scene.join("e1");
      scene.awaitSeen(true, Hosts.fqdn("safe"), "/", "200 one");
      Plane.await(
          "the server knows why",
          () -> scene.plane().get("/api/v1/proxies").toString().contains("Address already in use"));

      // Those who have nothing to do with that port go on, in spite of it.
      scene
          .plane()
          .write(
              "hosts.yaml",
              Docs.of(Hosts.good("plain", false, "one"), Hosts.good("safe", true, "two")));
      scene.awaitSeen(true, Hosts.fqdn("safe"), "/", "200 two");
      assertThat(scene.plane().said("HTTPProxy/default/plain", "Programmed").status())
          .isEqualTo("Unknown");
      assertThat(scene.held()).isEmpty();
      assertThat(scene.plane().items("/api/v1/incidents")).isEmpty();
    }
  }
}
