// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.CDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.CacheEntry;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.ClientHarness.Watched;
import dev.holdfast.xds.client.fixture.ResponseBuilder;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * A server that states everything again whenever something changes: only what changed is looked at,
 * and yet nothing is missed.
 */
class RepeatedResponseTest {
  private static ResponseBuilder all(String version, String a, String b, String c) {
    return response(CDS)
        .version(version)
        .nonce("n" + version)
        .resource("a", a)
        .resource("b", b)
        .resource("c", c);
  }

  private static CacheEntry.Cached<?> cached(ClientHarness h, String name) {
    return Objects.requireNonNull(Objects.requireNonNull(h.dump(CDS, name)).resource());
  }

  @Test
  void whatIsRepeatedIsConfirmedWithoutBeingDecodedOrTold() {
    try (ClientHarness h = ClientHarness.sotw()) {
      Watched a = h.watch(CDS, "a");
      Watched b = h.watch(CDS, "b");
      h.respond(all("1", "one", "one", "unasked"));
      assertThat(a.resource()).isEqualTo("one");
      assertThat(b.resource()).isEqualTo("one");
      CDS.takeDecodings();
      h.advanceSeconds(1);
      h.stream().skipRequests();

      h.respond(all("2", "one", "two", "unasked"));

      a.nothing();
      assertThat(b.resource()).isEqualTo("two");
      assertThat(CDS.takeDecodings()).isEqualTo(1);
      assertThat(h.stream().request().version()).isEqualTo("2");
      for (String name : new String[] {"a", "b"}) {
        assertThat(cached(h, name).version()).isEqualTo("2");
        assertThat(cached(h, name).updated()).isEqualTo(h.time.now());
      }
      assertThat(h.observer.valid(ClientHarness.SERVER, CDS)).isEqualTo(4);
    }
  }

  @Test
  void aBadUpdateAmongRepetitionsIsRefusedAndHeals() {
    try (ClientHarness h = ClientHarness.sotw()) {
      Watched a = h.watch(CDS, "a");
      Watched b = h.watch(CDS, "b");
      h.respond(all("1", "one", "one", "x"));
      h.stream().skipRequests();

      h.respond(all("2", "one", "bad:no good", "x"));
      h.respond(all("3", "one", "bad:no good", "x"));
      h.respond(all("4", "one", "one", "x"));

      assertThat(a.resource()).isEqualTo("one");
      a.nothing();
      assertThat(b.resource()).isEqualTo("one");
      assertThat(b.ambient().getDescription()).contains("no good");
      assertThat(b.ambient().isOk()).isTrue();
      b.nothing();
      assertThat(h.stream().request().errorText()).contains("index 1: b: value: no good");
      assertThat(h.stream().request().errorText()).contains("index 1: b: value: no good");
      assertThat(h.stream().request().isNack()).isFalse();
      assertThat(cached(h, "a").version()).isEqualTo("4");
      assertThat(cached(h, "b").version()).isEqualTo("4");
    }
  }

  @Test
  void whatIsNoLongerRepeatedIsDeleted() {
    try (ClientHarness h = ClientHarness.sotw()) {
      h.watch(CDS, "a");
      Watched b = h.watch(CDS, "b");
      h.respond(all("1", "one", "one", "x"));
      h.respond(all("2", "one", "one", "x"));
      assertThat(b.resource()).isEqualTo("one");

      h.respond(response(CDS).version("3").resource("a", "one").resource("c", "x"));

      assertThat(b.ambient().getCode()).isEqualTo(Status.Code.NOT_FOUND);
      assertThat(h.state(CDS, "b")).isEqualTo("does_not_exist_but_cached");
      assertThat(cached(h, "b").version()).isEqualTo("2");
      h.respond(response(CDS).version("4").resource("a", "one").resource("c", "x"));
      assertThat(
              Objects.requireNonNull(Objects.requireNonNull(h.dump(CDS, "b")).failure()).version())
          .isEqualTo("4");
    }
  }

  @Test
  void whatTakesTheNameOfAnotherIsSeen() {
    try (ClientHarness h = ClientHarness.sotw()) {
      Watched a = h.watch(CDS, "a");
      Watched b = h.watch(CDS, "b");
      h.respond(response(CDS).version("1").resource("a", "one").resource("b", "one"));
      assertThat(a.resource()).isEqualTo("one");
      assertThat(b.resource()).isEqualTo("one");

      h.respond(response(CDS).version("2").resource("b", "two").resource("b", "one"));

      assertThat(a.ambient().getCode()).isEqualTo(Status.Code.NOT_FOUND);
      assertThat(b.resource()).isEqualTo("one"); // the last of the two counts
      b.nothing();
    }
  }

  @Test
  void aSubscriptionToWhatWasRepeatedUnaskedIsServedByTheNextRepetition() {
    try (ClientHarness h = ClientHarness.sotw()) {
      h.watch(CDS, "a");
      h.respond(all("1", "one", "one", "one"));
      h.respond(all("2", "one", "one", "one"));

      Watched c = h.watch(CDS, "c");
      h.respond(all("3", "one", "one", "one"));

      assertThat(c.resource()).isEqualTo("one");
    }
  }

  @Test
  void anErrorOfTheServerIsOverWhenTheResourceIsRepeated() {
    try (ClientHarness h = ClientHarness.sotw()) {
      Watched a = h.watch(CDS, "a");
      h.respond(all("1", "one", "one", "one"));
      h.respond(all("2", "one", "one", "one"));
      assertThat(a.resource()).isEqualTo("one");

      h.respond(all("3", "one", "one", "one").error("a", Status.Code.INTERNAL, "overloaded"));
      assertThat(a.ambient().getDescription()).contains("overloaded");
      h.respond(all("4", "one", "one", "one"));

      assertThat(a.ambient().isOk()).isTrue();
      assertThat(h.state(CDS, "a")).isEqualTo("acked");
    }
  }

  @Test
  void whatAnotherServerChangedInTheMeantimeIsNotMistakenForARepetition() {
    try (ClientHarness h =
        new ClientHarness(
            ClientHarness.config(AdsProtocol.SOTW)
                .servers(ServerConfig.insecure("first:1"), ServerConfig.insecure("second:2"))
                .build())) {
      Watched a = h.watch(CDS, "a");
      h.respond(h.stream("first:1"), all("1", "one", "one", "one"));
      assertThat(a.resource()).isEqualTo("one");
      h.transport("first:1").transientFailure(Status.UNAVAILABLE.withDescription("down"));
      h.settle();
      a.ambient();
      h.watch(CDS, "new"); // asks the second server too
      h.respond(h.stream("second:2"), all("9", "other", "one", "one").resource("new", "x"));
      assertThat(a.resource()).isEqualTo("other");

      h.respond(h.stream("first:1"), all("1", "one", "one", "one"));

      assertThat(a.resource()).isEqualTo("one");
      assertThat(cached(h, "a").version()).isEqualTo("1");
    }
  }
}
