// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.fixture.ClientHarness.SERVER;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.AuthorityConfig;
import dev.holdfast.xds.client.ServerFeature;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The gauge of resources by state (gRFC A78): checklist section 3.6. */
class ResourceGaugeTest {
  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G65 the gauge follows a resource that is dropped when it goes wrong")
  void g65GaugeFollowsAResourceThatIsDropped(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol, ServerFeature.FAIL_ON_DATA_ERRORS)) {
      h.watch(LDS, "foo");
      only(h, "#old LDS requested");
      h.respond(response(LDS).resource("foo", "bad:x"));
      only(h, "#old LDS nacked");
      h.respond(response(LDS).resource("foo", "one"));
      only(h, "#old LDS acked");
      h.respond(response(LDS).removed("foo"));
      only(h, "#old LDS does_not_exist");
      h.respond(response(LDS).error("foo", Status.Code.NOT_FOUND, "never heard of it"));
      only(h, "#old LDS received_error");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G65 the gauge follows a resource that is kept when it goes wrong")
  void g65GaugeFollowsAResourceThatIsKept(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(LDS, "foo");
      h.respond(response(LDS).resource("foo", "one"));
      only(h, "#old LDS acked");
      h.respond(response(LDS).resource("foo", "bad:x"));
      only(h, "#old LDS nacked_but_cached");
      h.respond(response(LDS).removed("foo"));
      only(h, "#old LDS does_not_exist_but_cached");
      h.respond(response(LDS).error("foo", Status.Code.NOT_FOUND, "never heard of it"));
      only(h, "#old LDS received_error_but_cached");
      h.watch(LDS, "bar");
      assertThat(h.observer.resources(LDS, "requested")).isEqualTo(1);
      assertThat(h.observer.resources(LDS, "received_error_but_cached")).isEqualTo(1);
      w.cancel();
      only(h, "#old LDS requested");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G65 the gauge says timeout where a timer only means slowness")
  void g65GaugeOfATimer(AdsProtocol protocol) {
    try (ClientHarness h =
        ClientHarness.of(protocol, ServerFeature.RESOURCE_TIMER_IS_TRANSIENT_ERROR)) {
      h.watch(LDS, "foo");
      h.advanceSeconds(30);
      only(h, "#old LDS timeout");
    }
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.watch(LDS, "foo");
      h.advanceSeconds(15);
      only(h, "#old LDS does_not_exist");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName(
      "G65 resources are counted by authority; valid and invalid updates by server and type")
  void g65AuthorityLabelAndUpdateCounters(AdsProtocol protocol) {
    String name = "xdstp://auth.example/" + LDS.typeName() + "/foo";
    try (ClientHarness h =
        new ClientHarness(
            ClientHarness.config(protocol)
                .authorities(
                    Map.of(
                        "auth.example",
                        new AuthorityConfig(List.of(), /* fallbackOnReachabilityOnly= */ false)))
                .build())) {
      h.watch(LDS, "foo");
      h.watch(LDS, name);
      h.respond(response(LDS).resource("foo", "one").resource(name, "bad:x"));

      assertThat(h.observer.resources())
          .containsExactlyInAnyOrderEntriesOf(
              Map.of("#old LDS acked", 1, "auth.example LDS nacked", 1));
      assertThat(h.observer.valid(SERVER, LDS)).isEqualTo(1);
      assertThat(h.observer.invalid(SERVER, LDS)).isEqualTo(1);
    }
  }

  private static void only(ClientHarness h, String key) {
    assertThat(h.observer.resources()).containsExactlyEntriesOf(Map.of(key, 1));
  }
}
