// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.fixture.ClientHarness.response;

import dev.holdfast.xds.client.Behaviour;
import dev.holdfast.xds.client.CacheEntry;
import dev.holdfast.xds.client.ServerFeature;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.ClientHarness.Watched;
import dev.holdfast.xds.client.fixture.FakeStream;
import dev.holdfast.xds.client.fixture.ResponseBuilder;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import java.time.Duration;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A client with one watched resource, cached or not, for one case of the table. */
final class A88Scene implements AutoCloseable {
  static final String NAME = "foo";
  private static final Duration MOMENT = Duration.ofMillis(1);

  final ClientHarness harness;
  private final A88Table.Case which;
  private int responses;
  private @Nullable FakeStream answeredOn;

  A88Scene(A88Table.Case which) {
    this.which = which;
    Behaviour behaviour =
        ClientHarness.behaviour().withDataErrorHandling(which.dataErrorHandling());
    harness =
        new ClientHarness(
            ClientHarness.config(which.protocol(), which.features().toArray(new ServerFeature[0]))
                .behaviour(behaviour)
                .build());
  }

  AdsProtocol protocol() {
    return which.protocol();
  }

  /** The first watcher; if the row is about a cached resource, it has it. */
  Watched start() {
    Watched watched = watch();
    if (which.row().cached()) {
      respond(response -> response.resource(NAME, "one"));
      if (!watched.resource().equals("one")) {
        throw new AssertionError("not delivered");
      }
    }
    harness.stream().skipRequests();
    return watched;
  }

  Watched watch() {
    return harness.watch(which.type(), NAME);
  }

  /** The server answers, with a version of its own: 1, 2, ... */
  void respond(UnaryOperator<ResponseBuilder> content) {
    responses++;
    ResponseBuilder empty = response(which.type()).version(version()).nonce("nonce-" + responses);
    answeredOn = harness.stream();
    harness.respond(content.apply(empty));
  }

  String version() {
    return Integer.toString(responses);
  }

  /** A stream on which the server has not said anything. */
  void freshStream() {
    if (harness.transport().hasOpenStream() && harness.stream() == answeredOn) {
      harness.closeStream(Status.OK);
    }
    reconnect();
  }

  /** Waits for a stream, if there is none. */
  void reconnect() {
    while (!harness.transport().hasOpenStream()) {
      harness.advanceSeconds(1);
    }
  }

  /**
   * The server says nothing for as long as it may, and for the shortest moment more; a minute if
   * there is nothing that it would have to say.
   */
  void silence() {
    freshStream();
    harness.advance(which.row().cached() ? Duration.ofMinutes(1) : timeout().minus(MOMENT));
    if (!which.row().cached()) {
      if (!harness.state(which.type(), NAME).equals("requested")) {
        throw new AssertionError("too early");
      }
      harness.advance(MOMENT);
    }
  }

  /** A slow server that will say so itself has 30 s, any other 15 s. */
  private Duration timeout() {
    boolean slow =
        which.dataErrorHandling()
            && which.features().contains(ServerFeature.RESOURCE_TIMER_IS_TRANSIENT_ERROR);
    return Duration.ofSeconds(slow ? 30 : 15);
  }

  CacheEntry<?> entry() {
    return Objects.requireNonNull(harness.dump(which.type(), NAME));
  }

  @Override
  public void close() {
    harness.close();
  }
}
