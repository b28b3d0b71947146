// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.fixture.ClientHarness.SERVER;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.TestType;
import dev.holdfast.xds.client.transport.AdsProtocol;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who shares a stream and a cache with whom. */
class SharingTest {
  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("E02 all watches of one client share one connection, stream and cache")
  void e02WatchesOfOneClientShareOneStream(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      for (TestType type : TestType.all()) {
        for (String name : new String[] {"a", "b", "b"}) {
          h.watch(type, name);
        }
      }

      assertThat(h.servers.to(SERVER)).hasSize(1);
      assertThat(h.transport().streams()).hasSize(1);
      assertThat(h.dump()).hasSize(8);
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("E02 two clients share nothing")
  void e02TwoClientsShareNothing(AdsProtocol protocol) {
    try (ClientHarness one = ClientHarness.of(protocol);
        ClientHarness two = ClientHarness.of(protocol)) {
      ClientHarness.Watched first = one.watch(LDS, "foo");
      ClientHarness.Watched second = two.watch(LDS, "foo");

      one.respond(response(LDS).resource("foo", "one"));
      two.settle();

      assertThat(first.resource()).isEqualTo("one");
      second.nothing();
      assertThat(two.state(LDS, "foo")).isEqualTo("requested");
      assertThat(two.servers.to(SERVER)).hasSize(1);
    }
  }
}
