// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static dev.holdfast.xds.client.fixture.TestType.RDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.ManualExecutor;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.Request;
import dev.holdfast.xds.client.fixture.ResponseBuilder;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The next response is read when the watchers are done with the last: checklist section 3.6. */
class ReadFlowControlTest {
  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C65 the next read waits for every watcher of a response; the answer does not")
  void c65NextReadWaitsForEveryWatcher(AdsProtocol protocol) {
    ManualExecutor slow = new ManualExecutor();
    ManualExecutor slower = new ManualExecutor();
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched first = h.watch(LDS, "foo", slow);
      ClientHarness.Watched second = h.watch(LDS, "foo", slower);
      h.stream().skipRequests();

      h.respond(response(LDS).version("1").nonce("A").resource("foo", "one"));

      Request ack = h.stream().request();
      assertThat(ack.nonce()).isEqualTo("A");
      assertThat(ack.isNack()).isFalse();
      assertThat(h.stream().isReading()).isFalse();
      h.respond(response(LDS).version("2").nonce("B").resource("foo", "two"));
      assertThat(h.stream().unread()).isEqualTo(1);

      slow.runAll();
      h.settle();
      assertThat(first.resource()).isEqualTo("one");
      assertThat(h.stream().unread()).isEqualTo(1);

      slower.runAll();
      h.settle();
      assertThat(second.resource()).isEqualTo("one");
      assertThat(h.stream().unread()).isZero();
      assertThat(h.stream().request().nonce()).isEqualTo("B");
      assertThat(h.stream().isReading()).isFalse();

      slow.runAll();
      slower.runAll();
      h.settle();
      assertThat(first.resource()).isEqualTo("two");
      assertThat(second.resource()).isEqualTo("two");
      assertThat(h.stream().isReading()).isTrue();
    }
  }

  @Test
  @DisplayName("C65 the next read waits for the answer to be handed over, too")
  void c65NextReadWaitsForTheAnswer() {
    try (ClientHarness h = ClientHarness.sotw()) {
      h.watch(LDS, "foo");
      h.stream().skipRequests();
      h.servers.autoSend(false);
      h.watch(RDS, "bar"); // on its way and staying there

      h.respond(response(LDS).version("1").nonce("A").resource("foo", "one"));
      assertThat(h.stream().request().typeUrl()).isEqualTo(RDS.typeUrl());
      assertThat(h.stream().isReading()).isFalse();

      h.stream().sent();
      h.settle();
      assertThat(h.stream().request().nonce()).isEqualTo("A");
      assertThat(h.stream().isReading()).isTrue();
      h.stream().sent();
      h.settle();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G62 several resources: the second read waits for all their watchers")
  void g62ReadWaitsForTheWatchersOfAllResources(AdsProtocol protocol) {
    ManualExecutor foos = new ManualExecutor();
    ManualExecutor bars = new ManualExecutor();
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched foo = h.watch(LDS, "foo", foos);
      ClientHarness.Watched bar = h.watch(LDS, "bar", bars);

      h.respond(response(LDS).resource("foo", "one").resource("bar", "two"));

      bars.runAll();
      h.settle();
      assertThat(bar.resource()).isEqualTo("two");
      assertThat(h.stream().isReading()).isFalse();
      foos.runAll();
      h.settle();
      assertThat(foo.resource()).isEqualTo("one");
      assertThat(h.stream().isReading()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G62 the error of a refused response holds the read back, ambient or not")
  void g62ReadWaitsForTheWatcherOfARefusedResource(AdsProtocol protocol) {
    ManualExecutor slow = new ManualExecutor();
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(LDS, "foo", slow);

      heldBack(h, slow, response(LDS).resource("foo", "bad:first"));
      assertThat(w.error().getDescription()).contains("first");
      heldBack(h, slow, response(LDS).resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
      heldBack(h, slow, response(LDS).resource("foo", "bad:second"));
      assertThat(w.ambient().getDescription()).contains("second");
      w.nothing();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G62 a deletion and the server's own error hold the read back")
  void g62ReadWaitsForTheWatcherOfADeletedResource(AdsProtocol protocol) {
    ManualExecutor slow = new ManualExecutor();
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched w = h.watch(LDS, "foo", slow);
      heldBack(h, slow, response(LDS).resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");

      heldBack(h, slow, response(LDS).removed("foo"));
      assertThat(w.ambient().getCode()).isEqualTo(Status.Code.NOT_FOUND);
      heldBack(h, slow, response(LDS).error("foo", Status.Code.PERMISSION_DENIED, "not yours"));
      assertThat(w.ambient().getDescription()).contains("not yours");
      heldBack(h, slow, response(LDS).resource("foo", "one"));
      assertThat(w.ambient()).isEqualTo(Status.OK);
      w.nothing();
    }
  }

  private static void heldBack(ClientHarness h, ManualExecutor slow, ResponseBuilder response) {
    h.respond(response);
    assertThat(slow.pending()).isPositive();
    assertThat(h.stream().isReading()).isFalse();
    slow.runAll();
    h.settle();
    assertThat(h.stream().isReading()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G62 a response that is no news to anybody holds nothing back")
  void g62UnchangedResourceDoesNotHoldTheReadBack(AdsProtocol protocol) {
    ManualExecutor slow = new ManualExecutor();
    try (ClientHarness h = ClientHarness.of(protocol)) {
      h.watch(LDS, "foo", slow);
      h.respond(response(LDS).resource("foo", "one"));
      slow.runAll();
      h.settle();

      h.respond(response(LDS).version("2").resource("foo", "one"));

      assertThat(slow.pending()).isZero();
      assertThat(h.stream().isReading()).isTrue();
    }
  }

  @Test
  @DisplayName("G62 channel errors and timers do not hold the read back")
  void g62ChannelErrorsDoNotHoldTheReadBack() {
    ManualExecutor slow = new ManualExecutor();
    try (ClientHarness h = ClientHarness.sotw()) {
      ClientHarness.Watched w = h.watch(LDS, "foo", slow);
      ClientHarness.Watched other = h.watch(RDS, "bar");
      h.transport().transientFailure(Status.UNAVAILABLE.withDescription("refused"));
      h.settle();
      assertThat(other.error().getDescription()).contains("refused");
      h.advanceSeconds(15);
      assertThat(slow.pending()).isPositive();
      assertThat(h.stream().isReading()).isTrue();

      h.respond(response(RDS).resource("bar", "two"));
      assertThat(other.error().getCode()).isEqualTo(Status.Code.NOT_FOUND);
      assertThat(other.resource()).isEqualTo("two");
      assertThat(h.stream().isReading()).isTrue();

      slow.runAll();
      assertThat(w.error().getDescription()).contains("refused");
      assertThat(w.error().getCode()).isEqualTo(Status.Code.NOT_FOUND);
    }
  }

  @Test
  @DisplayName("G62 watchers of an old stream's response do not hold back the new stream")
  void g62SlowWatchersOfAnOldStreamDoNotHoldTheNewOneBack() {
    ManualExecutor slow = new ManualExecutor();
    try (ClientHarness h = ClientHarness.sotw()) {
      ClientHarness.Watched w = h.watch(LDS, "foo", slow);
      h.respond(response(LDS).resource("foo", "one"));
      h.closeStream(Status.UNAVAILABLE);
      h.advanceSeconds(1);

      h.respond(response(LDS).version("2").nonce("B").resource("foo", "two"));

      h.stream().request();
      assertThat(h.stream().request().nonce()).isEqualTo("B");
      slow.runAll();
      h.settle();
      assertThat(w.resource()).isEqualTo("one");
      assertThat(w.resource()).isEqualTo("two");
      assertThat(h.stream().isReading()).isTrue();
    }
  }
}
