// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.conformance.Checks.ack;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.CDS;
import static dev.holdfast.xds.client.fixture.TestType.EDS;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static dev.holdfast.xds.client.fixture.TestType.RDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.Resource;
import dev.holdfast.xds.client.ResourceWatcher;
import dev.holdfast.xds.client.Watch;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.TestWatcher;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What watchers may do while they are being told. */
class CallbacksTest {
  /** A watcher that does the same thing at every call. */
  private static ResourceWatcher<String> doing(Runnable action) {
    return new ResourceWatcher<>() {
      @Override
      public void onResourceChanged(StatusOr<Resource<String>> resource) {
        action.run();
      }

      @Override
      public void onAmbientError(Status status) {
        action.run();
      }
    };
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName(
      "G08 watches registered from inside a callback work: same name, other name, other type")
  void g08WatchingFromInsideACallback(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      TestWatcher same = new TestWatcher("same");
      TestWatcher otherName = new TestWatcher("other name");
      TestWatcher otherType = new TestWatcher("other type");
      h.client.watch(
          LDS,
          "foo",
          doing(
              () -> {
                h.client.watch(LDS, "foo", same);
                h.client.watch(LDS, "bar", otherName);
                h.client.watch(RDS, "route", otherType);
              }));
      h.settle();
      h.stream().skipRequests();

      h.respond(response(LDS).version("1").nonce("A").resource("foo", "one"));

      assertThat(same.resource()).isEqualTo("one");
      ack(h.stream(), "1", "A");
      assertThat(h.stream().subscribed(LDS)).containsExactly("bar", "foo");
      assertThat(h.stream().subscribed(RDS)).containsExactly("route");
      assertThat(h.stream().isReading()).isTrue();

      h.respond(response(RDS).version("1").nonce("B").resource("route", "r"));
      assertThat(otherType.resource()).isEqualTo("r");
      otherName.nothing();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G08 a chain of watches, each made by the callback of the one before")
  void g08ChainOfWatches(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      TestWatcher last = new TestWatcher("endpoint");
      h.client.watch(
          LDS,
          "l",
          doing(
              () ->
                  h.client.watch(
                      RDS,
                      "r",
                      doing(
                          () ->
                              h.client.watch(
                                  CDS, "c", doing(() -> h.client.watch(EDS, "e", last)))))));
      h.settle();

      h.respond(response(LDS).resource("l", "x"));
      h.respond(response(RDS).resource("r", "x"));
      h.respond(response(CDS).resource("c", "x"));
      h.respond(response(EDS).resource("e", "end"));

      assertThat(last.resource()).isEqualTo("end");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G08 a watcher may cancel itself and its neighbour while it is being told")
  void g08CancellingFromInsideACallback(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      List<Watch> watches = new ArrayList<>();
      int[] calls = {0};
      Runnable cancelAll =
          () -> {
            calls[0]++;
            watches.forEach(Watch::cancel);
          };
      watches.add(h.client.watch(LDS, "foo", doing(cancelAll)));
      watches.add(h.client.watch(LDS, "foo", doing(cancelAll)));
      ClientHarness.Watched other = h.watch(LDS, "bar");

      h.respond(response(LDS).resource("foo", "one").resource("bar", "two"));

      assertThat(calls[0]).as("no call after cancel").isEqualTo(1);
      assertThat(other.resource()).isEqualTo("two");
      assertThat(h.state(LDS, "foo")).isEqualTo("not shown");
      assertThat(h.stream().subscribed(LDS)).containsExactly("bar");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G08 a watcher that throws, an exception or an error, disturbs nobody else")
  void g08WatcherThatThrowsDisturbsNobody(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      IllegalStateException exception = new IllegalStateException("watcher failed");
      LinkageError error = new NoClassDefFoundError("Missing");
      h.client.watch(
          LDS,
          "foo",
          doing(
              () -> {
                throw exception;
              }));
      h.client.watch(
          LDS,
          "foo",
          doing(
              () -> {
                throw error;
              }));
      ClientHarness.Watched calm = h.watch(LDS, "foo");

      h.respond(response(LDS).version("1").resource("foo", "one"));
      assertThat(calm.resource()).isEqualTo("one");
      assertThat(h.observer.takeUncaught()).containsExactly(exception, error);
      assertThat(h.stream().isReading()).as("goes on reading").isTrue();

      h.respond(response(LDS).version("2").resource("foo", "two"));
      assertThat(calm.resource()).isEqualTo("two");
      assertThat(h.observer.takeUncaught()).hasSize(2);
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G08 a watcher's executor that refuses does not stop the stream")
  void g08ExecutorThatRefusesDoesNotStopTheStream(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      RejectedExecutionException refusal = new RejectedExecutionException("shut down");
      h.watch(
          LDS,
          "foo",
          task -> {
            throw refusal;
          });
      ClientHarness.Watched calm = h.watch(LDS, "foo");

      h.respond(response(LDS).version("1").resource("foo", "one"));

      assertThat(calm.resource()).isEqualTo("one");
      assertThat(h.observer.takeUncaught()).containsOnly(refusal);
      assertThat(h.stream().isReading()).isTrue();
    }
  }
}
