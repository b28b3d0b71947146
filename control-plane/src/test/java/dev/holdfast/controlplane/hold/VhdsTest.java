// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.hold;

import static dev.holdfast.controlplane.hold.Objects.bad;
import static dev.holdfast.controlplane.hold.Objects.fqdn;
import static dev.holdfast.controlplane.hold.Objects.host;
import static dev.holdfast.controlplane.hold.Objects.proxy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.TestCa;
import dev.holdfast.testkit.TypeUrls;
import dev.holdfast.testkit.envoy.EnvoyOptions;
import dev.holdfast.testkit.envoy.FakeEnvoy;
import dev.holdfast.testkit.envoy.ReceivedResponse;
import dev.holdfast.testkit.envoy.Validator;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Hosts that come one by one, to proxies that take them so. */
class VhdsTest {
  private static final Duration DRAIN = Duration.ofMinutes(1);
  private static final TestCa.Identity IDENTITY = TestCa.create("test").issue("tls.example.com");

  private final World world = new World();

  VhdsTest() {
    world.vhds = true;
  }

  @AfterEach
  void close() {
    world.nothingRefusedWasSentAgain();
    world.close();
  }

  private static String hosts(int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append(host("h" + i, 201));
    }
    return text.toString();
  }

  private static List<ReceivedResponse> hosts(FakeEnvoy envoy) {
    return envoy.received(TypeUrls.VIRTUAL_HOST);
  }

  private static int status(FakeEnvoy envoy, String name) {
    return envoy.route(fqdn(name), "/").status();
  }

  /** From now on, a host is there at all times. */
  private void always(FakeEnvoy envoy, String name, int status) {
    Runnable others = world.watch;
    world.watch =
        () -> {
          others.run();
          assertThat(status(envoy, name)).as("%s at %s", name, envoy.options()).isEqualTo(status);
        };
  }

  /** The same, as soon as the Envoy takes requests at all. */
  private void onceReady(FakeEnvoy envoy, String name, int status) {
    Runnable others = world.watch;
    world.watch =
        () -> {
          others.run();
          if (envoy.isReady()) {
            assertThat(status(envoy, name)).isEqualTo(status);
          }
        };
  }

  @Test
  void anEnvoyThatStartsGetsAllHostsAtOnceAndThenOnlyTheOneThatChanged() {
    world.up().write(hosts(20));
    FakeEnvoy envoy = world.join("e1", true);
    onceReady(envoy, "h7", 201);
    onceReady(envoy, "h19", 201);
    world.settle();

    assertThat(hosts(envoy)).hasSize(1);
    assertThat(hosts(envoy).get(0).resources()).hasSize(20);
    assertThat(envoy.received(TypeUrls.ROUTE_CONFIGURATION)).hasSize(1);
    assertThat(world.said(proxy("h7"))).isEqualTo("True/Programmed 1/1");

    world.watch = () -> {};
    world.write(host("h7", 202)).settle();

    assertThat(status(envoy, "h7")).isEqualTo(202);
    assertThat(hosts(envoy)).hasSize(2);
    assertThat(hosts(envoy).get(1).resources())
        .extracting(ReceivedResponse.Entry::name)
        .containsExactly("ingress_http_vhds/h7.example.com");
    assertThat(envoy.received(TypeUrls.ROUTE_CONFIGURATION)).hasSize(1);
    assertThat(world.said(proxy("h7"))).isEqualTo("True/Programmed 2/2");
  }

  @Test
  void withoutHostsAnEnvoyIsReadyAtOnce() {
    world.up();
    FakeEnvoy envoy = world.join("e1", true);

    world.run();

    assertThat(envoy.isReady()).isTrue();
    world.write(host("a", 201)).settle();
    always(envoy, "a", 201);
    world.settle().watch = () -> {};
    world.delete(proxy("a")).settle();
    assertThat(status(envoy, "a")).isEqualTo(404);
    world.write(host("a", 202)).settle();
    assertThat(status(envoy, "a")).isEqualTo(202);
    envoy.restart();
    world.settle();
    assertThat(status(envoy, "a")).isEqualTo(202);
  }

  @Test
  void aRefusedHostAmongGoodOnesIsFoundWithoutASearch() {
    world.up().write(hosts(30));
    FakeEnvoy one = world.join("e1", true);
    FakeEnvoy two = world.join("e2", true);
    world.settle();
    always(one, "h3", 201);
    always(two, "h3", 201);
    always(one, "h20", 201);

    world.write(hosts(10).replace("201", "203").replace(host("h3", 203), "") + bad("h20", 203));
    world.settle();

    assertThat(world.held()).containsExactly("h20@2/1 Rejected");
    assertThat(world.incidents()).hasSize(1);
    assertThat(world.said(proxy("h20"))).isEqualTo("False/Rejected 1/2");
    assertThat(world.condition(proxy("h20"), "Programmed"))
        .contains("VirtualHost ingress_http_vhds/h20.example.com");
    assertThat(world.said(proxy("h9"))).isEqualTo("True/Programmed 2/2");
    assertThat(status(one, "h9")).isEqualTo(203);
    assertThat(status(two, "h9")).isEqualTo(203);

    world.watch = () -> {};
    world.write(host("h20", 204)).settle();
    assertThat(world.held()).isEmpty();
    assertThat(status(two, "h20")).isEqualTo(204);
  }

  @Test
  void aFirstResponseThatIsRefusedCostsTheBadHostAlone() {
    world.up().write(hosts(100) + bad("bad", 201) + bad("worse", 201));
    FakeEnvoy envoy = world.join("e1", true);

    world.settle();

    assertThat(world.held()).containsExactly("bad@1/0 RejectedNew", "worse@1/0 RejectedNew");
    for (int i = 0; i < 100; i++) {
      assertThat(status(envoy, "h" + i)).isEqualTo(201);
      assertThat(world.said(proxy("h" + i))).isEqualTo("True/Programmed 1/1");
    }
    assertThat(hosts(envoy)).hasSizeLessThan(35);
  }

  @Test
  void aRestartOfTheControlPlaneSendsNothingAndTakesNothing() {
    world.up().write(hosts(10));
    FakeEnvoy envoy = world.join("e1", true);
    world.settle();
    always(envoy, "h3", 201);

    world.kill();
    world.settle().up().settle();

    assertThat(hosts(envoy)).hasSize(1);
    assertThat(envoy.received(TypeUrls.ROUTE_CONFIGURATION)).hasSize(1);
    assertThat(envoy.received(TypeUrls.LISTENER)).hasSize(1);
    world.advance(Duration.ofMinutes(1));
    assertThat(world.said(proxy("h3"))).isEqualTo("True/Programmed 1/1");
    world.kill();
    world.write(host("h4", 205));
    world.delete(proxy("h5"));
    world.up().settle();
    assertThat(status(envoy, "h4")).isEqualTo(205);
    assertThat(status(envoy, "h5")).isEqualTo(404);
  }

  @Test
  void anEnvoyThatReconnectsOrRestartsHasAllHosts() {
    world.up().write(hosts(10));
    FakeEnvoy envoy = world.join("e1", true);
    world.settle();
    always(envoy, "h3", 201);
    envoy.disconnect();
    world.settle();
    assertThat(hosts(envoy)).hasSize(1);

    world.watch = () -> {};
    onceReady(envoy, "h3", 201);
    onceReady(envoy, "h9", 201);
    envoy.restart();
    world.settle();

    assertThat(envoy.isReady()).isTrue();
    assertThat(hosts(envoy)).hasSize(2);
    assertThat(hosts(envoy).get(1).resources()).hasSize(10);
  }

  @Test
  void theModeIsSwitchedOnAndOffWithoutAMissingHost() {
    world.vhds = false;
    world.up().write(hosts(10));
    FakeEnvoy envoy = world.join("e1", true);
    world.settle();
    always(envoy, "h3", 201);
    assertThat(hosts(envoy)).isEmpty();

    for (int i = 0; i < 3; i++) {
      int before = hosts(envoy).size();
      world.vhds = true;
      world.kill();
      world.up().settle().advance(DRAIN);
      assertThat(hosts(envoy)).hasSizeGreaterThan(before);
      assertThat(envoy.routes("ingress_http")).isNull();
      world.write(host("h4", 210 + i)).settle();
      assertThat(status(envoy, "h4")).isEqualTo(210 + i);
      assertThat(world.said(proxy("h4"))).startsWith("True/Programmed");

      world.vhds = false;
      world.kill();
      world.up().settle().advance(DRAIN);
      assertThat(envoy.routes("ingress_http_vhds")).isNull();
      world.write(host("h4", 220 + i)).settle();
      assertThat(status(envoy, "h4")).isEqualTo(220 + i);
      assertThat(world.said(proxy("h4"))).startsWith("True/Programmed");
    }
  }

  @Test
  void aTableThatComesBackGetsItsHostsThoughNobodyAsksForThem() {
    world.up().write(hosts(10));
    FakeEnvoy envoy = world.join("e1", true);
    world.settle();
    always(envoy, "h3", 201);
    // The process of an Envoy goes on claiming these hosts when their table is gone.
    world.vhds = false;
    world.kill();
    world.up().settle().advance(DRAIN);
    assertThat(envoy.routes("ingress_http_vhds")).isNull();
    int before = hosts(envoy).size();

    world.vhds = true;
    world.kill();
    world.up().settle();

    assertThat(hosts(envoy)).hasSize(before + 1);
    assertThat(hosts(envoy).get(before).resources()).hasSize(10);
    assertThat(envoy.routesOf("ingress_http")).isEqualTo(envoy.routes("ingress_http_vhds"));
  }

  @Test
  void routesThatAreRefusedDoNotOpenAPortThatWaitsForItsHosts() {
    world.up().write(hosts(10) + secure("tls", 201));
    FakeEnvoy first = world.join("e1", true);
    world.settle();
    assertThat(world.said(proxy("tls"))).isEqualTo("True/Programmed 1/1");
    // An Envoy that refuses what others of its class run, as soon as it starts.
    FakeEnvoy odd =
        world.join(
            EnvoyOptions.delta("e2"),
            Validator.on(
                RouteConfiguration.class,
                routes -> routes.getName().startsWith("https/") ? "not today" : null));
    onceReady(odd, "h3", 201);
    onceReady(odd, "h9", 201);

    world.settle();

    assertThat(odd.isReady()).isTrue();
    assertThat(status(odd, "h3")).isEqualTo(201);
    assertThat(status(first, "h3")).isEqualTo(201);
    assertThat(odd.received(TypeUrls.ROUTE_CONFIGURATION))
        .anyMatch(response -> response.outcome() == ReceivedResponse.Outcome.REJECTED);
  }

  @Test
  void manyNewHostsOfWhichOneIsBadTakeFewResponses() {
    world.up().write(hosts(5));
    FakeEnvoy envoy = world.join("e1", true);
    world.settle();
    always(envoy, "h3", 201);
    int before = hosts(envoy).size();

    world.write(hosts(200) + bad("h77", 201)).settle();

    assertThat(world.held()).containsExactly("h77@1/0 RejectedNew");
    assertThat(status(envoy, "h199")).isEqualTo(201);
    assertThat(hosts(envoy).size() - before).isBetween(8, 16);
  }

  @Test
  void scoutsOfTheSameFormTryHostsFirst() {
    world.up().write(hosts(5));
    FakeEnvoy envoy = world.join("e1", true);
    FakeEnvoy scout =
        world.scout(
            "s1",
            true,
            Validator.on(
                RouteConfiguration.class,
                routes ->
                    routes.getVirtualHostsList().stream()
                            .flatMap(host -> host.getRoutesList().stream())
                            .anyMatch(
                                route ->
                                    route.getDirectResponse().getStatus() == Objects.UNSPEAKABLE)
                        ? "there is something wrong with a route"
                        : null));
    world.settle();
    assertThat(hosts(scout)).isNotEmpty();

    world.write(bad("h3", 202)).settle();

    assertThat(world.held()).containsExactly("h3@2/1 Rejected");
    assertThat(hosts(scout))
        .filteredOn(response -> response.outcome() == ReceivedResponse.Outcome.REJECTED)
        .hasSize(1);
    assertThat(status(envoy, "h3")).isEqualTo(201);
  }

  /** A host with TLS, and its certificate. */
  private static String secure(String name, int status) {
    return host(name, status)
            .replace(
                "fqdn: " + fqdn(name), "fqdn: " + fqdn(name) + ", tls: {secretName: certificate}")
        + """
        ---
        apiVersion: v1
        kind: Secret
        metadata: {name: certificate}
        type: kubernetes.io/tls
        data: {tls.crt: %s, tls.key: %s}
        """
            .formatted(base64(IDENTITY.certificatePem()), base64(IDENTITY.privateKeyPem()));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aFleetMayMixBothFormsWithTheSameStatuses() {
    world.up().write(hosts(10));
    FakeEnvoy each = world.join("each", true);
    FakeEnvoy sotw = world.join("sotw", false);
    FakeEnvoy old = world.join(EnvoyOptions.delta("old").withVersion("1.36.4"));
    world.settle().advance(Duration.ofSeconds(20));
    for (FakeEnvoy envoy : List.of(each, sotw, old)) {
      always(envoy, "h3", 201);
    }
    assertThat(hosts(each)).isNotEmpty();
    assertThat(each.received(TypeUrls.ROUTE_CONFIGURATION)).hasSize(1);
    assertThat(hosts(sotw)).isEmpty();
    assertThat(hosts(old)).isEmpty();

    world.write(host("h4", 204) + bad("h3", 204)).settle();

    assertThat(world.held()).containsExactly("h3@2/1 Rejected");
    assertThat(world.said(proxy("h4"))).isEqualTo("True/Programmed 2/2");
    for (FakeEnvoy envoy : List.of(each, sotw, old)) {
      assertThat(status(envoy, "h4")).isEqualTo(204);
    }
  }
}
