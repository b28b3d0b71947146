// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.fixture.ClientHarness.SERVER;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.CDS;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.ManualExecutor;
import dev.holdfast.xds.client.Resource;
import dev.holdfast.xds.client.ResourceWatcher;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.FakeStream;
import dev.holdfast.xds.client.fixture.FakeTransport;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The end of a client: checklist section 3.6. */
class ClosingTest {
  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G67 close ends every watch, stream and timer, and may be repeated")
  void g67CloseIsIdempotent(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      ClientHarness.Watched acked = h.watch(LDS, "foo");
      ClientHarness.Watched requested = h.watch(CDS, "bar");
      h.respond(response(LDS).resource("foo", "one"));
      assertThat(acked.resource()).isEqualTo("one");
      FakeTransport transport = h.transport();

      h.client.close();
      h.settle();
      h.client.close();
      h.settle();

      assertThat(transport.isClosed()).isTrue();
      assertThat(transport.streams()).allMatch(FakeStream::isOver);
      assertThat(h.time.pending()).isEmpty();
      assertThat(h.dump()).isEmpty();
      assertThat(h.observer.resources()).isEmpty();
      assertThat(h.observer.connected(SERVER)).isNull();
      acked.nothing();
      requested.nothing();
      acked.cancel();
      h.client.resetBackoff();
      h.settle();
      assertThat(h.observer.uncaught()).isEmpty();
    }
  }

  @Test
  @DisplayName("G67 a watch after close does nothing, and can be cancelled")
  void g67WatchAfterCloseDoesNothing() {
    try (ClientHarness h = ClientHarness.sotw()) {
      h.client.close();
      ClientHarness.Watched w = h.watch(LDS, "foo");
      ClientHarness.Watched malformed = h.watch(LDS, "xdstp:malformed");

      w.nothing();
      malformed.nothing();
      assertThat(h.servers.all()).isEmpty();
      assertThat(h.dump()).isEmpty();
      w.cancel();
    }
  }

  @Test
  @DisplayName("G67 a client without watches closes without ever having connected")
  void g67CloseWithoutAnyWatch() {
    try (ClientHarness h = ClientHarness.sotw()) {
      h.client.close();
      h.settle();
      assertThat(h.servers.all()).isEmpty();
    }
  }

  @Test
  @DisplayName("G67 close ends a connection that waits to be tried again")
  void g67CloseDuringBackoff() {
    try (ClientHarness h = ClientHarness.sotw()) {
      ClientHarness.Watched w = h.watch(LDS, "foo");
      h.closeStream(Status.UNAVAILABLE);
      assertThat(w.error().getCode()).isEqualTo(Status.Code.UNAVAILABLE);

      h.client.close();
      h.settle();

      assertThat(h.time.pending()).isEmpty();
      h.transport().transientFailure(Status.UNAVAILABLE.withDescription("too late"));
      h.transport().connected();
      h.settle();
      assertThat(h.transport().streams()).hasSize(1);
      w.nothing();
    }
  }

  @Test
  @DisplayName(
      "G67 close from inside a callback: nobody hears anything more, not even of this response")
  void g67CloseFromInsideACallback() {
    try (ClientHarness h = ClientHarness.sotw()) {
      List<String> heard = new ArrayList<>();
      h.client.watch(
          LDS,
          "foo",
          new ResourceWatcher<String>() {
            @Override
            public void onResourceChanged(StatusOr<Resource<String>> resource) {
              heard.add("changed");
              h.client.close();
            }

            @Override
            public void onAmbientError(Status status) {
              heard.add("ambient");
            }
          });
      ClientHarness.Watched second = h.watch(LDS, "foo");
      ClientHarness.Watched other = h.watch(LDS, "bar");

      h.respond(
          response(LDS)
              .resource("foo", "one")
              .resource("bar", "two")
              .error("foo", Status.Code.UNAVAILABLE, "overloaded"));

      assertThat(heard).containsExactly("changed");
      second.nothing();
      other.nothing();
      assertThat(h.transport().isClosed()).isTrue();
      assertThat(h.observer.uncaught()).isEmpty();
    }
  }

  @Test
  @DisplayName("G67 callbacks that wait in an executor when the client closes are not made")
  void g67CallbacksThatWaitAreNotMadeAfterClose() {
    ManualExecutor executor = new ManualExecutor();
    try (ClientHarness h = ClientHarness.sotw()) {
      ClientHarness.Watched w = h.watch(LDS, "foo", executor);
      h.respond(response(LDS).resource("foo", "one"));

      h.client.close();
      executor.runAll();
      h.settle();

      w.nothing();
    }
  }
}
