// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.fixture.ClientHarness.SERVER;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.AuthorityConfig;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.Request;
import dev.holdfast.xds.client.fixture.TestType;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names with authorities (gRFC A47): checklist section 3.7. */
class FederationTest {
  private static final String OTHER = "other.example:443";

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName(
      "C70 two authorities with two servers: separate streams, versions, nonces and labels")
  void c70TwoAuthoritiesTwoServers(AdsProtocol protocol) {
    String name = name("other", LDS, "foo");
    try (ClientHarness h = withOther(protocol, ServerConfig.insecure(OTHER))) {
      ClientHarness.Watched here = h.watch(LDS, "foo");
      ClientHarness.Watched there = h.watch(LDS, name);
      assertThat(h.stream(SERVER).request().names()).containsExactly("foo");
      Request first = h.stream(OTHER).request();
      assertThat(first.names()).containsExactly(name);
      assertThat(requireNonNull(first.node()).getId()).isEqualTo("node-1");

      h.respond(h.stream(SERVER), response(LDS).version("1").nonce("A").resource("foo", "here"));
      h.respond(h.stream(OTHER), response(LDS).version("9").nonce("Z").resource(name, "there"));

      assertThat(here.resource()).isEqualTo("here");
      assertThat(there.resource()).isEqualTo("there");
      assertThat(h.stream(SERVER).request().nonce()).isEqualTo("A");
      assertThat(h.stream(OTHER).request().nonce()).isEqualTo("Z");
      assertThat(h.observer.resources())
          .containsExactlyInAnyOrderEntriesOf(Map.of("#old LDS acked", 1, "other LDS acked", 1));
      assertThat(h.observer.valid(SERVER, LDS)).isEqualTo(1);
      assertThat(h.observer.valid(OTHER, LDS)).isEqualTo(1);

      h.advanceSeconds(20);
      h.closeStream(h.stream(SERVER), Status.UNAVAILABLE);
      h.closeStream(h.stream(OTHER), Status.UNAVAILABLE);
      assertThat(h.stream(SERVER).request().versionOf("foo")).isEqualTo("1");
      assertThat(h.stream(OTHER).request().versionOf(name)).isEqualTo("9");

      there.cancel();
      assertThat(h.transport(OTHER).isClosed()).isTrue();
      assertThat(h.transport(SERVER).hasOpenStream()).isTrue();
      assertThat(h.observer.connected(OTHER)).isNull();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C71 an authority without servers uses the top-level list and shares its stream")
  void c71AuthorityWithoutServers(AdsProtocol protocol) {
    String name = name("other", LDS, "foo");
    try (ClientHarness h = withOther(protocol)) {
      ClientHarness.Watched here = h.watch(LDS, "foo");
      ClientHarness.Watched there = h.watch(LDS, name);

      assertThat(h.servers.all()).hasSize(1);
      assertThat(h.transport().streams()).hasSize(1);
      assertThat(h.stream().subscribed(LDS)).containsExactly("foo", name);
      h.respond(response(LDS).resource("foo", "here").resource(name, "there"));
      assertThat(here.resource()).isEqualTo("here");
      assertThat(there.resource()).isEqualTo("there");
      assertThat(h.observer.resources()).containsKeys("#old LDS acked", "other LDS acked");
    }
  }

  @Test
  @DisplayName("C72 an unknown authority is an error at once, for this watch only")
  void c72UnknownAuthority() {
    try (ClientHarness h = withOther(AdsProtocol.SOTW)) {
      ClientHarness.Watched w = h.watch(LDS, name("stranger", LDS, "foo"));

      Status error = w.error();
      assertThat(error.getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
      assertThat(error.getDescription())
          .contains(name("stranger", LDS, "foo"))
          .contains("authority \"stranger\" not present in bootstrap config")
          .endsWith("(node ID:node-1)");
      assertThat(h.servers.all()).isEmpty();
      assertThat(h.dump()).isEmpty();
      w.cancel();
      assertThat(h.observer.uncaught()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "xdstp:foo",
        "xdstp://other",
        "xdstp://other/",
        "xdstp://other/envoy.config.listener.v3.Listener",
        "xdstp://other/envoy.config.listener.v3.Listener/",
        "xdstp://other/envoy.config.listener.v3.Listener?a=b",
        "xdstp://other/envoy.config.listener.v3.Listener/foo?a",
        "xdstp://other/envoy.config.cluster.v3.Cluster/foo"
      })
  @DisplayName("C72 a name that cannot be parsed is an error at once")
  void c72UnparsableName(String name) {
    try (ClientHarness h = withOther(AdsProtocol.SOTW)) {
      ClientHarness.Watched w = h.watch(LDS, name);

      Status error = w.error();
      assertThat(error.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
      assertThat(error.getDescription())
          .contains("LDS resource " + name, "expected: ")
          .endsWith("(node ID:node-1)");
      assertThat(h.servers.all()).isEmpty();
      assertThat(h.dump()).isEmpty();
      w.cancel();
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C73 without federation an xdstp name is a name like any other")
  void c73FederationOff(AdsProtocol protocol) {
    String name = "xdstp://other/anything?b=2&a=1";
    try (ClientHarness h =
        new ClientHarness(
            ClientHarness.config(protocol)
                .authorities(Map.of("other", AuthorityConfig.of(ServerConfig.insecure(OTHER))))
                .behaviour(ClientHarness.behaviour().withFederation(false))
                .build())) {
      ClientHarness.Watched w = h.watch(LDS, name);

      assertThat(h.stream(SERVER).subscribed(LDS)).containsExactly(name);
      h.respond(h.stream(SERVER), response(LDS).resource(name, "one"));
      assertThat(w.resource()).isEqualTo("one");
      assertThat(h.observer.resources()).containsOnlyKeys("#old LDS acked");
      assertThat(h.servers.to(OTHER)).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("dev.holdfast.xds.client.fixture.TestType#all")
  @DisplayName("G81 two orders of context parameters are one name, on the wire and in responses")
  void g81ContextParameterOrderIsCanonical(TestType type) {
    String canonical = name("other", type, "foo?a=1&b=2&c=3");
    for (AdsProtocol protocol : AdsProtocol.values()) {
      try (ClientHarness h = withOther(protocol)) {
        ClientHarness.Watched one = h.watch(type, name("other", type, "foo?b=2&c=3&a=1"));
        ClientHarness.Watched two = h.watch(type, name("other", type, "foo?c=3&a=1&b=2"));

        assertThat(h.stream().subscribed(type)).containsExactly(canonical);
        assertThat(h.stream().received()).isEqualTo(1);
        h.respond(response(type).resource(name("other", type, "foo?c=3&b=2&a=1"), "text"));
        assertThat(one.resource()).isEqualTo("text");
        assertThat(two.resource()).isEqualTo("text");
        assertThat(requireNonNull(one.watcher.current()).name()).isEqualTo(canonical);
        assertThat(h.state(type, canonical)).isEqualTo("acked");

        h.respond(
            response(type)
                .version("2")
                .error(name("other", type, "foo?b=2&a=1&c=3"), Status.Code.INTERNAL, "oops"));
        assertThat(one.ambient().getDescription()).contains("oops");
        one.cancel();
        two.cancel();
        assertThat(h.transport().isClosed()).isTrue();
      }
    }
  }

  private static String name(String authority, TestType type, String id) {
    return "xdstp://" + authority + "/" + type.typeName() + "/" + id;
  }

  private static ClientHarness withOther(AdsProtocol protocol, ServerConfig... servers) {
    AuthorityConfig other =
        new AuthorityConfig(List.of(servers), /* fallbackOnReachabilityOnly= */ false);
    return new ClientHarness(
        ClientHarness.config(protocol).authorities(Map.of("other", other)).build());
  }
}
