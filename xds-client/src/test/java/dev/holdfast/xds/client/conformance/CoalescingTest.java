// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.conformance.Checks.noRequest;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.CDS;
import static dev.holdfast.xds.client.fixture.TestType.EDS;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.Resource;
import dev.holdfast.xds.client.ResourceWatcher;
import dev.holdfast.xds.client.Watch;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.FakeStream;
import dev.holdfast.xds.client.fixture.Request;
import dev.holdfast.xds.client.fixture.ResponseBuilder;
import dev.holdfast.xds.client.fixture.TestWatcher;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How many requests it takes to say what there is to say. */
class CoalescingTest {
  private static final int MANY = 2_000;

  private static List<Watch> watchMany(ClientHarness h, String prefix) {
    List<Watch> watches = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      watches.add(h.watchLater(EDS, prefix + i).watch);
    }
    return watches;
  }

  private static void send(ClientHarness h) {
    h.stream().sent();
    h.settle();
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R32 2,000 watches in one turn are one request, names sorted")
  void r32WatchesOfOneTurnAreOneRequest(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      watchMany(h, "name");
      h.settle();

      Request request = h.stream().request();
      assertThat(request.subscribe()).hasSize(MANY).isSorted().doesNotHaveDuplicates();
      noRequest(h.stream());
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R32 2,000 more on a live stream are one more request")
  void r32WatchesOnALiveStreamAreOneRequest(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.watch(EDS, "first");
      h.stream().skipRequests();

      watchMany(h, "name");
      h.settle();

      Request request = h.stream().request();
      assertThat(request.names()).hasSize(MANY + 1);
      if (protocol == AdsProtocol.DELTA) {
        assertThat(request.subscribe()).as("only what is new").hasSize(MANY);
      }
      noRequest(h.stream());
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R32 watches made in many turns while a send is in flight are one more request")
  void r32WatchesDuringASendAreOneMoreRequest(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.servers.autoSend(false);
      h.watch(EDS, "first");
      FakeStream stream = h.stream();
      assertThat(stream.request().names()).containsExactly("first");

      for (int i = 0; i < 50; i++) {
        h.watch(EDS, "name" + i);
      }
      noRequest(stream);
      send(h);

      assertThat(stream.request().names()).hasSize(51);
      send(h);
      noRequest(stream);
      assertThat(stream.received()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R32 2,000 cancels in one turn are one request")
  void r32CancelsOfOneTurnAreOneRequest(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.watch(EDS, "stays");
      List<Watch> watches = watchMany(h, "name");
      h.settle();
      h.stream().skipRequests();

      watches.forEach(Watch::cancel);
      h.settle();

      Request request = h.stream().request();
      assertThat(request.names()).containsExactly("stays");
      if (protocol == AdsProtocol.DELTA) {
        assertThat(request.unsubscribe()).hasSize(MANY).isSorted();
      }
      noRequest(h.stream());
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R32 watches that come and go within a turn are never mentioned")
  void r32ComeAndGoneWithinATurnIsNotMentioned(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.watch(EDS, "stays");
      h.stream().skipRequests();

      watchMany(h, "name").forEach(Watch::cancel);
      h.settle();

      noRequest(h.stream());
      assertThat(h.dump()).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R32 a change of subscription travels with an ACK that had to wait")
  void r32AckAndSubscriptionTravelTogether(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.servers.autoSend(false);
      h.watch(EDS, "foo");
      send(h);
      FakeStream stream = h.stream();
      stream.skipRequests();
      h.watch(EDS, "bar"); // in flight from here on
      assertThat(stream.request().names()).containsExactlyInAnyOrder("foo", "bar");

      h.respond(response(EDS).version("1").nonce("A").resource("foo", "one"));
      h.watch(EDS, "baz");
      noRequest(stream);
      send(h);

      Request both = Checks.ack(stream, "1", "A");
      assertThat(both.names()).containsExactlyInAnyOrder("foo", "bar", "baz");
      send(h);
      noRequest(stream);
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R32 each type has its own request, one at a time, none forgotten")
  void r32EachTypeHasItsOwnRequest(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.servers.autoSend(false);
      h.watchLater(LDS, "a");
      h.watchLater(CDS, "b");
      h.watchLater(EDS, "c");
      h.settle();
      FakeStream stream = h.stream();

      assertThat(stream.request().typeUrl()).isEqualTo(LDS.typeUrl());
      noRequest(stream);
      send(h);
      assertThat(stream.request().typeUrl()).isEqualTo(CDS.typeUrl());
      noRequest(stream);
      send(h);
      assertThat(stream.request().typeUrl()).isEqualTo(EDS.typeUrl());
      send(h);
      noRequest(stream);
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R32 watches made by the callbacks of one response are one request after the ACK")
  void r32WatchesMadeByCallbacksAreOneRequest(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      for (int i = 0; i < 20; i++) {
        String endpoint = "endpoint" + i;
        h.client.watch(
            CDS,
            "cluster" + i,
            new ResourceWatcher<String>() {
              @Override
              public void onResourceChanged(StatusOr<Resource<String>> resource) {
                h.client.watch(EDS, endpoint, new TestWatcher(endpoint));
              }

              @Override
              public void onAmbientError(Status status) {
                throw new AssertionError(status);
              }
            });
      }
      h.settle();
      FakeStream stream = h.stream();
      stream.skipRequests();
      ResponseBuilder clusters = response(CDS).version("1").nonce("A");
      for (int i = 0; i < 20; i++) {
        clusters.resource("cluster" + i, "x");
      }

      h.respond(clusters);

      Checks.ack(stream, "1", "A");
      assertThat(stream.request().names()).hasSize(20);
      noRequest(stream);
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("R28 names are sent sorted, whatever the order of the watches")
  void r28NamesAreSorted(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      for (String name : new String[] {"c", "a", "B", "b", "a"}) {
        h.watchLater(EDS, name);
      }
      h.settle();

      assertThat(h.stream().request().subscribe()).containsExactly("B", "a", "b", "c");
    }
  }
}
