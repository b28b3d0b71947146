// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static dev.holdfast.xds.client.fixture.TestType.RDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.AuthorityConfig;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which of several servers counts, and when: checklist section 3.7. */
class FallbackOrderTest {
  private static final String FIRST = "first:1";
  private static final String SECOND = "second:2";
  private static final String THIRD = "third:3";
  private static final Status GONE = Status.UNAVAILABLE.withDescription("connection refused");

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G80 the first server fails in the middle of an update: the next gives the rest")
  void g80FailureDuringAnUpdate(AdsProtocol protocol) {
    try (ClientHarness h = servers(protocol, FIRST, SECOND)) {
      ClientHarness.Watched lds = h.watch(LDS, "l");
      h.respond(h.stream(FIRST), response(LDS).resource("l", "first"));
      assertThat(lds.resource()).isEqualTo("first");
      ClientHarness.Watched rds = h.watch(RDS, "r");

      h.closeStream(h.stream(FIRST), GONE); // after a response: no failure yet
      assertThat(h.servers.to(SECOND)).isEmpty();
      h.advanceSeconds(1);
      h.closeStream(h.stream(FIRST), GONE);

      assertThat(h.stream(SECOND).subscribed(LDS)).containsExactly("l");
      assertThat(h.stream(SECOND).subscribed(RDS)).containsExactly("r");
      lds.nothing();
      rds.nothing();
      h.respond(h.stream(SECOND), response(LDS).resource("l", "second"));
      assertThat(lds.resource()).isEqualTo("second");
      h.respond(h.stream(SECOND), response(RDS).resource("r", "second"));
      assertThat(rds.resource()).isEqualTo("second");

      h.advanceSeconds(1);
      h.respond(h.stream(FIRST), response(RDS).resource("r", "first"));
      assertThat(rds.resource()).isEqualTo("first");
      lds.nothing(); // what the second server said stands until the first says otherwise
      assertThat(h.transport(SECOND).isClosed()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G80 the first server comes back while the second is still starting up")
  void g80RecoveryDuringStartup(AdsProtocol protocol) {
    try (ClientHarness h = servers(protocol, FIRST, SECOND)) {
      ClientHarness.Watched lds = h.watch(LDS, "l");
      ClientHarness.Watched rds = h.watch(RDS, "r");
      h.closeStream(h.stream(FIRST), GONE);
      h.respond(h.stream(SECOND), response(LDS).resource("l", "second"));
      assertThat(lds.resource()).isEqualTo("second");

      h.advanceSeconds(1);
      h.respond(h.stream(FIRST), response(LDS).resource("l", "first"));

      assertThat(lds.resource()).isEqualTo("first");
      assertThat(h.transport(SECOND).isClosed()).isTrue();
      rds.nothing();
      assertThat(h.state(RDS, "r")).isEqualTo("requested");
      h.respond(h.stream(FIRST), response(RDS).resource("r", "first"));
      assertThat(rds.resource()).isEqualTo("first");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G80 three servers: down step by step, silently, and up step by step")
  void g80ThreeServersStepByStep(AdsProtocol protocol) {
    try (ClientHarness h = servers(protocol, FIRST, SECOND, THIRD)) {
      ClientHarness.Watched w = h.watch(LDS, "foo");
      assertThat(h.servers.to(SECOND)).isEmpty();
      fail(h, FIRST);
      assertThat(h.stream(SECOND).subscribed(LDS)).containsExactly("foo");
      assertThat(h.servers.to(THIRD)).isEmpty();
      fail(h, SECOND);
      assertThat(h.stream(THIRD).subscribed(LDS)).containsExactly("foo");
      w.nothing();
      fail(h, THIRD);
      assertThat(w.error().getDescription()).contains(THIRD).doesNotContain(FIRST, SECOND);

      h.respond(h.stream(THIRD), response(LDS).resource("foo", "third"));
      assertThat(w.resource()).isEqualTo("third");
      h.respond(h.stream(SECOND), response(LDS).resource("foo", "second"));
      assertThat(w.resource()).isEqualTo("second");
      assertThat(h.transport(THIRD).isClosed()).isTrue();
      assertThat(h.transport(SECOND).hasOpenStream()).isTrue();
      h.respond(h.stream(FIRST), response(LDS).resource("foo", "first"));
      assertThat(w.resource()).isEqualTo("first");
      assertThat(h.transport(SECOND).isClosed()).isTrue();
      w.nothing();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G80 the first of three answers: both others are let go at once")
  void g80FirstOfThreeAnswers(AdsProtocol protocol) {
    try (ClientHarness h = servers(protocol, FIRST, SECOND, THIRD)) {
      ClientHarness.Watched w = h.watch(LDS, "foo");
      fail(h, FIRST);
      fail(h, SECOND);

      h.respond(h.stream(FIRST), response(LDS).resource("foo", "first"));

      assertThat(w.resource()).isEqualTo("first");
      assertThat(h.transport(SECOND).isClosed()).isTrue();
      assertThat(h.transport(THIRD).isClosed()).isTrue();
      assertThat(h.time.pending()).hasSizeLessThanOrEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G80 what is cached, or known to be wrong, is no reason to fall back")
  void g80KnownResourcesSuppressFallback(AdsProtocol protocol) {
    try (ClientHarness h = servers(protocol, FIRST, SECOND)) {
      ClientHarness.Watched good = h.watch(RDS, "good");
      ClientHarness.Watched bad = h.watch(RDS, "bad");
      h.respond(h.stream(FIRST), response(RDS).resource("good", "first").resource("bad", "bad:x"));
      assertThat(good.resource()).isEqualTo("first");
      assertThat(bad.error().getDescription()).contains("x");

      fail(h, FIRST);

      assertThat(good.ambient().getDescription()).contains("connection refused");
      assertThat(bad.error().getDescription()).contains("connection refused", "invalid: value: x");
      assertThat(h.servers.to(SECOND)).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName(
      "G80 the timer of a server that does not count says nothing until that server counts")
  void g80TimerOfAServerThatDoesNotCount(AdsProtocol protocol) {
    try (ClientHarness h = servers(protocol, FIRST, SECOND)) {
      ClientHarness.Watched lds = h.watch(LDS, "l");
      ClientHarness.Watched rds = h.watch(RDS, "r");
      h.servers.autoSend(false);
      fail(h, FIRST); // the second server is not reached yet: no timer there
      assertThat(h.stream(SECOND).isSendPending()).isTrue();

      h.advanceSeconds(16); // the first server's timers fire
      lds.nothing();
      rds.nothing();
      assertThat(h.state(RDS, "r")).isEqualTo("requested");

      h.servers.autoSend(true);
      h.respond(h.stream(FIRST), response(LDS).resource("l", "first"));
      assertThat(lds.resource()).isEqualTo("first");
      assertThat(h.transport(SECOND).isClosed()).isTrue();
      rds.nothing();
      h.advanceSeconds(15);
      assertThat(rds.error().getCode()).isEqualTo(Status.Code.NOT_FOUND);
      assertThat(h.state(RDS, "r")).isEqualTo("does_not_exist");
      lds.nothing();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G80 a stand-in that is in use elsewhere and known to be down is passed over")
  void g80StandInThatIsKnownToBeDown(AdsProtocol protocol) {
    AuthorityConfig a = AuthorityConfig.of(ServerConfig.insecure(SECOND));
    try (ClientHarness h =
        new ClientHarness(
            ClientHarness.config(protocol)
                .servers(
                    ServerConfig.insecure(FIRST),
                    ServerConfig.insecure(SECOND),
                    ServerConfig.insecure(THIRD))
                .authorities(Map.of("a", a))
                .build())) {
      ClientHarness.Watched there = h.watch(LDS, "xdstp://a/" + LDS.typeName() + "/foo");
      fail(h, SECOND);
      assertThat(there.error().getDescription()).contains(SECOND);
      ClientHarness.Watched here = h.watch(LDS, "foo");

      fail(h, FIRST);

      here.nothing();
      assertThat(h.stream(THIRD).subscribed(LDS)).containsExactly("foo");
      h.respond(h.stream(THIRD), response(LDS).resource("foo", "third"));
      assertThat(here.resource()).isEqualTo("third");
      there.nothing();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("G80 the names that a stand-in was asked for leave it, if it is in use elsewhere")
  void g80NamesLeaveAStandInThatOthersUse(AdsProtocol protocol) {
    String other = "xdstp://a/" + LDS.typeName() + "/other";
    AuthorityConfig a = AuthorityConfig.of(ServerConfig.insecure(SECOND));
    try (ClientHarness h =
        new ClientHarness(
            ClientHarness.config(protocol)
                .servers(ServerConfig.insecure(FIRST), ServerConfig.insecure(SECOND))
                .authorities(Map.of("a", a))
                .build())) {
      h.watch(LDS, other);
      ClientHarness.Watched foo = h.watch(LDS, "foo");
      fail(h, FIRST);
      assertThat(h.stream(SECOND).subscribed(LDS)).containsExactly("foo", other);

      h.respond(h.stream(FIRST), response(LDS).resource("foo", "first"));

      assertThat(foo.resource()).isEqualTo("first");
      assertThat(h.stream(SECOND).subscribed(LDS)).containsExactly(other);
      h.respond(h.stream(SECOND), response(LDS).resource("foo", "second"));
      foo.nothing();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("E80 authorities fall back one by one, and use what is cached when all else fails")
  void e80FallbackPerAuthority(AdsProtocol protocol) {
    String nameA = "xdstp://a/" + LDS.typeName() + "/foo";
    String nameB = "xdstp://b/" + LDS.typeName() + "/foo";
    try (ClientHarness h =
        new ClientHarness(
            ClientHarness.config(protocol)
                .authorities(
                    Map.of(
                        "a",
                        AuthorityConfig.of(
                            ServerConfig.insecure("a:1"), ServerConfig.insecure("a:2")),
                        "b",
                        AuthorityConfig.of(
                            ServerConfig.insecure("b:1"), ServerConfig.insecure("b:2"))))
                .build())) {
      ClientHarness.Watched a = h.watch(LDS, nameA);
      ClientHarness.Watched b = h.watch(LDS, nameB);
      fail(h, "a:1");
      assertThat(h.stream("a:2").subscribed(LDS)).containsExactly(nameA);
      assertThat(h.servers.to("b:2")).isEmpty();
      h.respond(h.stream("a:2"), response(LDS).resource(nameA, "second"));
      h.respond(h.stream("b:1"), response(LDS).resource(nameB, "first"));
      assertThat(a.resource()).isEqualTo("second");
      assertThat(b.resource()).isEqualTo("first");

      fail(h, "a:2");
      fail(h, "b:1");

      assertThat(a.ambient().getDescription()).contains("a:2", "connection refused");
      assertThat(b.ambient().getDescription()).contains("b:1", "connection refused");
      assertThat(h.servers.to("b:2")).isEmpty();
      assertThat(h.state(LDS, nameA)).isEqualTo("acked");
      assertThat(h.state(LDS, nameB)).isEqualTo("acked");
    }
  }

  private static ClientHarness servers(AdsProtocol protocol, String... uris) {
    ServerConfig[] servers = new ServerConfig[uris.length];
    for (int i = 0; i < uris.length; i++) {
      servers[i] = ServerConfig.insecure(uris[i]);
    }
    return new ClientHarness(ClientHarness.config(protocol).servers(servers).build());
  }

  private static void fail(ClientHarness h, String uri) {
    h.transport(uri).transientFailure(GONE);
    h.settle();
  }
}
