// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.rpc.Status;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import org.junit.jupiter.api.Test;

final class RequestTest {
  private static final Node NODE = Node.newBuilder().setId("n").build();
  private static final Status ERROR = Status.newBuilder().setMessage("bad").build();

  @Test
  void readsStateOfTheWorldRequests() {
    DiscoveryRequest.Builder request =
        DiscoveryRequest.newBuilder()
            .setVersionInfo("v1")
            .setNode(NODE)
            .addResourceNames("a")
            .addResourceNames("b")
            .setTypeUrl("t")
            .setResponseNonce("7");

    assertThat(Request.scan(Protocol.SOTW, request.build().toByteArray()))
        .isEqualTo(new Request(2, "7", null));
    assertThat(Request.scan(Protocol.SOTW, request.setErrorDetail(ERROR).build().toByteArray()))
        .isEqualTo(new Request(2, "7", "bad"));
  }

  @Test
  void readsDeltaRequests() {
    DeltaDiscoveryRequest.Builder request =
        DeltaDiscoveryRequest.newBuilder()
            .setNode(NODE)
            .setTypeUrl("t")
            .addResourceNamesSubscribe("a")
            .addResourceNamesUnsubscribe("b")
            .putInitialResourceVersions("c", "v1")
            .setResponseNonce("7");

    assertThat(Request.scan(Protocol.DELTA, request.build().toByteArray()))
        .isEqualTo(new Request(1, "7", null));
    assertThat(Request.scan(Protocol.DELTA, request.setErrorDetail(ERROR).build().toByteArray()))
        .isEqualTo(new Request(1, "7", "bad"));
  }
}
