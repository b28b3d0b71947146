// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static dev.holdfast.xds.client.fixture.TestType.RDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Env;
import dev.holdfast.testkit.ManualExecutor;
import dev.holdfast.testkit.ManualTime;
import dev.holdfast.xds.client.ResourceType;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.XdsClient;
import dev.holdfast.xds.client.XdsClientObserver;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.ClientHarness.Watched;
import dev.holdfast.xds.client.fixture.FakeServers;
import dev.holdfast.xds.client.fixture.TestWatcher;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a transport or an observer throws, the stream is retried and nobody is left waiting. */
class TransportTroubleTest {
  static List<Throwable> throwables() {
    return List.of(
        new IllegalStateException("broken"),
        new NoClassDefFoundError("missing.Class"),
        new StackOverflowError());
  }

  @ParameterizedTest
  @MethodSource("throwables")
  void aStreamThatCannotBeOpenedIsTriedAgain(Throwable thrown) {
    try (ClientHarness h = ClientHarness.sotw()) {
      h.servers.breakOpen(thrown);
      Watched w = h.watch(LDS, "foo");
      Status error = w.error();
      assertThat(error.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(error.getDescription()).contains("cannot connect");
      h.observer.takeUncaught();

      h.servers.breakOpen(null);
      h.advanceSeconds(1);

      h.respond(response(LDS).version("1").resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
    }
  }

  @ParameterizedTest
  @MethodSource("throwables")
  void aRequestThatCannotBeSentEndsTheStreamAsAFailure(Throwable thrown) {
    try (ClientHarness h = ClientHarness.sotw()) {
      h.servers.breakSend(thrown);
      Watched w = h.watch(LDS, "foo");
      assertThat(w.error().getDescription()).contains("transport failed", thrown.toString());
      assertThat(h.observer.takeUncaught()).containsExactly(thrown);
      assertThat(h.transport().hasOpenStream()).isFalse();

      h.advanceSeconds(0.9);
      assertThat(h.transport().streams()).as("backed off").hasSize(1);
      h.servers.breakSend(null);
      h.advanceSeconds(0.2);

      h.respond(response(LDS).version("1").resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  void whatAResponseSaidIsNotLostOverItsAnswer(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      Watched foo = h.watch(LDS, "foo");
      Watched routes = h.watch(RDS, "routes");
      h.servers.breakSend(new IllegalStateException("broken"));

      h.respond(response(LDS).version("1").resource("foo", "one"));

      assertThat(foo.resource()).isEqualTo("one");
      assertThat(foo.ambient().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(routes.error().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(h.observer.takeUncaught()).hasSize(1);

      h.servers.breakSend(null);
      h.advanceSeconds(1);
      h.respond(response(LDS).version("1").resource("foo", "one"));
      assertThat(foo.ambient()).isEqualTo(Status.OK);
    }
  }

  /** Throws from whatever it is told, and once more from being told of that. */
  private static final class Throwing implements XdsClientObserver {
    final List<Throwable> heard = new ArrayList<>();

    @Override
    public void resourceUpdates(ServerConfig server, ResourceType<?> type, int good, int bad) {
      throw new IllegalStateException("resourceUpdates");
    }

    @Override
    public void cacheStateChanged(
        String authority, ResourceType<?> type, @Nullable String before, @Nullable String after) {
      throw new NoClassDefFoundError("cacheStateChanged");
    }

    @Override
    public void streamStarted(ServerConfig server) {
      throw new IllegalStateException("streamStarted");
    }

    @Override
    public void nackSent(ServerConfig server, ResourceType<?> type, String version, String text) {
      throw new IllegalStateException("nackSent");
    }

    @Override
    public void uncaught(Throwable error) {
      heard.add(error);
      throw new IllegalStateException("uncaught");
    }
  }

  @Test
  void anObserverThatThrowsCostsNothingButItsOwnCall() {
    Throwing observer = new Throwing();
    ManualExecutor loop = new ManualExecutor();
    FakeServers servers = new FakeServers();
    XdsClient client =
        XdsClient.create(
            ClientHarness.config(AdsProtocol.SOTW).build(),
            servers,
            new Env(loop, new ManualTime(), new Random(1)),
            observer);
    TestWatcher watcher = new TestWatcher("foo");
    client.watch(LDS, "foo", watcher, Runnable::run);
    loop.runAll();
    var stream = servers.transport(ClientHarness.SERVER).stream();

    stream.deliver(
        response(LDS).version("1").nonce("n1").resource("foo", "one").build(AdsProtocol.SOTW));
    loop.runAll();
    stream.deliver(
        response(LDS).version("2").nonce("n2").resource("foo", "two").build(AdsProtocol.SOTW));
    loop.runAll();

    assertThat(watcher.resource()).isEqualTo("one");
    assertThat(watcher.resource()).isEqualTo("two");
    assertThat(stream.received()).as("requests: the first and two ACKs").isEqualTo(3);
    assertThat(observer.heard).hasSizeGreaterThan(4);
    client.close();
    loop.runAll();
  }
}
