// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.grpc.XdsTypes;
import dev.holdfast.grpc.bootstrap.XdsBootstrap;
import dev.holdfast.xds.client.ResourceType;
import dev.holdfast.xds.client.ServerConfig;
import io.grpc.Status;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a client went through, counted. */
class ClientEventsTest {
  private static final ServerConfig SERVER = ServerConfig.insecure("127.0.0.1:1");
  private static final ResourceType<?> TYPE =
      XdsTypes.of(XdsBootstrap.builder().nodeId("n").server(SERVER).build(), Map.of()).cluster();

  private final ClientEvents events = new ClientEvents();

  private void became(String before, String after) {
    events.cacheStateChanged(
        "#old", TYPE, before.isEmpty() ? null : before, after.isEmpty() ? null : after);
  }

  @Test
  void resourcesInUseAreThoseWithNothingWrong() {
    became("", "requested");
    became("requested", "acked");
    became("", "requested");
    assertThat(events.watched()).isEqualTo(2);
    assertThat(events.accepted()).isEqualTo(1);

    became("acked", "nacked_but_cached");
    became("requested", "");
    assertThat(events.watched()).isEqualTo(1);
    assertThat(events.accepted()).isZero();
  }

  @Test
  void whatIsForgottenIsNotTakenForNews() {
    events.connected(SERVER, true);
    events.serverFailure(SERVER, Status.UNAVAILABLE);
    events.connected(SERVER, false);
    assertThat(events.failure()).isEqualTo(Status.UNAVAILABLE);
    assertThat(events.isConnected()).isFalse();

    events.forget();
    assertThat(events.failure()).isNull();
    assertThat(events.isConnected()).isFalse();
  }
}
