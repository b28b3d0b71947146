// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.fixture.ClientHarness.SERVER;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.AuthorityConfig;
import dev.holdfast.xds.client.Resource;
import dev.holdfast.xds.client.ResourceWatcher;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.FakeTransport;
import dev.holdfast.xds.client.fixture.TestWatcher;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A control plane that is itself found through xDS: checklist section 3.6. */
class NestedXdsTest {
  private static final String NESTED = "xds:///control-plane";
  private static final String NAME = "xdstp://nested/" + LDS.typeName() + "/foo";

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName(
      "G68 making a connection may itself watch, through the same client, without deadlock")
  void g68ConnectingThroughTheSameClient(AdsProtocol protocol) {
    try (ClientHarness h =
        new ClientHarness(
            ClientHarness.config(protocol)
                .authorities(Map.of("nested", AuthorityConfig.of(ServerConfig.insecure(NESTED))))
                .build())) {
      TestWatcher outer = new TestWatcher("outer");
      // The connection to the nested server waits for where that server is.
      h.servers.autoSend(false);
      h.servers.onCreate(
          NESTED, () -> h.client.watch(LDS, "control-plane", new Connects(h, outer)));
      ClientHarness.Watched inner = h.watch(LDS, NAME);

      FakeTransport waiting = h.transport(NESTED);
      assertThat(waiting.stream().isSendPending()).isTrue();
      h.stream(SERVER).sent();
      h.settle();
      assertThat(h.stream(SERVER).subscribed(LDS)).containsExactly("control-plane");
      inner.nothing();

      h.servers.autoSend(true);
      h.respond(h.stream(SERVER), response(LDS).resource("control-plane", "10.0.0.1"));

      assertThat(outer.resource()).isEqualTo("10.0.0.1");
      h.respond(h.stream(NESTED), response(LDS).resource(NAME, "one"));
      assertThat(inner.resource()).isEqualTo("one");
      assertThat(h.observer.uncaught()).isEmpty();
    }
  }

  /** Passes on what it hears; with the first resource the waiting connection comes up. */
  private record Connects(ClientHarness h, TestWatcher next) implements ResourceWatcher<String> {
    @Override
    public void onResourceChanged(StatusOr<Resource<String>> resource) {
      next.onResourceChanged(resource);
      h.transport(NESTED).connected();
      h.stream(NESTED).sent();
    }

    @Override
    public void onAmbientError(Status status) {
      next.onAmbientError(status);
    }
  }
}
