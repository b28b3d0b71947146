// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.report.ProxyReport;
import dev.holdfast.testkit.envoy.AnswerMode;
import dev.holdfast.testkit.envoy.EnvoyOptions;
import dev.holdfast.testkit.envoy.FakeEnvoy;
import dev.holdfast.testkit.envoy.ReceivedResponse;
import dev.holdfast.testkit.envoy.Validator;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A scout is shown every change first, and never counts. */
class ScoutTest {
  /** What kills, or hangs, whoever gets it. */
  private static final int DEADLY = 598;

  private final World world = new World().up();
  private final Validator refusing = Validator.on(RouteConfiguration.class, ScoutTest::refuse);
  private boolean strikes;

  @AfterEach
  void nothingBroke() {
    assertThat(world.internalErrors().count()).isZero();
    world.close();
  }

  private static @Nullable String refuse(RouteConfiguration routes) {
    return has(routes, Objects.UNSPEAKABLE) ? "there is something wrong with a route" : null;
  }

  private static boolean has(RouteConfiguration routes, int status) {
    return routes.getVirtualHostsList().stream()
        .flatMap(host -> host.getRoutesList().stream())
        .anyMatch(route -> route.getDirectResponse().getStatus() == status);
  }

  private @Nullable String strike(RouteConfiguration routes) {
    strikes |= has(routes, DEADLY);
    return null;
  }

  private FakeEnvoy deadlyScout(boolean delta) {
    return world.scout("s1", delta, Validator.on(RouteConfiguration.class, this::strike));
  }

  /** The same for proxies that are served, which must never get it. */
  private FakeEnvoy proxy(String node, boolean delta) {
    return world.join(
        node,
        delta,
        Validator.on(
            RouteConfiguration.class,
            routes -> {
              if (has(routes, DEADLY)) {
                throw new AssertionError(node + " was sent what kills");
              }
              return refuse(routes);
            }));
  }

  private void serve(String... names) {
    StringBuilder all = new StringBuilder();
    for (String name : names) {
      all.append(Objects.host(name, 201));
    }
    world.write(all.toString()).settle();
    world.advance(Duration.ofSeconds(1));
  }

  private int status(String node, String name) {
    return world.envoy(node).route(Objects.fqdn(name), "/").status();
  }

  private static long refusals(FakeEnvoy envoy) {
    return envoy.received().stream()
        .filter(response -> response.outcome() == ReceivedResponse.Outcome.REJECTED)
        .count();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatAScoutAcceptsGoesOn(boolean delta) {
    FakeEnvoy scout = world.scout("s1", delta, refusing);
    proxy("e1", delta);
    proxy("e2", delta);
    serve("a", "b");

    world.watch =
        () -> {
          boolean isTried = scout.route(Objects.fqdn("a"), "/").status() == 202;
          assertThat(isTried || status("e1", "a") == 201).isTrue();
          assertThat(status("e1", "a") == 202 || status("e2", "a") == 201).isTrue();
        };
    world.write(Objects.host("a", 202)).settle();

    assertThat(status("e1", "a")).isEqualTo(202);
    assertThat(status("e2", "a")).isEqualTo(202);
    assertThat(world.said(Objects.proxy("a"))).isEqualTo("True/Programmed 2/2");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aSearchTakesPlaceOnTheScout(boolean delta) {
    FakeEnvoy scout = world.scout("s1", delta, refusing);
    FakeEnvoy first = proxy("e1", delta);
    FakeEnvoy second = proxy("e2", delta);
    proxy("e3", delta);
    serve("a", "b", "c", "d", "e", "f", "g", "h");

    StringBuilder edits = new StringBuilder();
    for (String name : List.of("a", "b", "c", "d", "f", "g", "h")) {
      edits.append(Objects.host(name, 202));
    }
    world.write(edits + Objects.bad("e", 202)).settle();
    world.advance(Duration.ofSeconds(2));

    assertThat(world.held()).containsExactly("e@2/1 Rejected");
    assertThat(refusals(scout)).isGreaterThan(1);
    assertThat(refusals(first)).isEqualTo(1);
    assertThat(refusals(second)).isEqualTo(1);
    assertThat(refusals(world.envoy("e3"))).isZero();
    for (String node : List.of("e1", "e2", "e3")) {
      assertThat(status(node, "a")).isEqualTo(202);
      assertThat(status(node, "e")).isEqualTo(201);
    }
    world.nothingRefusedWasSentAgain();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void onlyTheScoutDies(boolean delta) {
    FakeEnvoy scout = deadlyScout(delta);
    proxy("e1", delta);
    proxy("e2", delta);
    serve("a", "b", "c");
    int[] deaths = {0};
    world.watch =
        () -> {
          if (strikes) {
            strikes = false;
            deaths[0]++;
            scout.restart();
          }
        };
    world.write(Objects.host("a", DEADLY) + Objects.host("b", 202));
    Duration told =
        world.await("it is held", () -> world.held().equals(List.of("a@2/1 ProxyDied")));
    world.settle();

    assertThat(told).isLessThan(Duration.ofSeconds(10));
    assertThat(deaths[0]).isLessThanOrEqualTo(3);
    for (String node : List.of("e1", "e2")) {
      assertThat(status(node, "a")).isEqualTo(201);
      assertThat(status(node, "b")).isEqualTo(202);
    }
    world.write(Objects.host("c", 202)).settle();
    assertThat(status("e1", "c")).isEqualTo(202);
    assertThat(scout.route(Objects.fqdn("a"), "/").status()).isEqualTo(201);
  }

  /** What is searched for on a scout is no business of those who edited something else. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anEditOfTheSameMomentWaitsOnlyUntilTheScoutIsBack(boolean delta) {
    FakeEnvoy scout =
        world.scout(
            "s1",
            delta,
            Validator.on(
                RouteConfiguration.class,
                routes -> {
                  strikes |= routes.toString().contains("envoy_on_request");
                  return null;
                }));
    for (String node : List.of("e1", "e2")) {
      world.join(node, delta, withoutPolicies(node));
    }
    serve("a", "b");
    world.watch =
        () -> {
          if (strikes) {
            strikes = false;
            scout.restart();
          }
        };
    world.write(Objects.policy("p", "a") + Objects.host("b", 202));
    Duration live =
        world.await("the edit is live", () -> status("e1", "b") == 202 && status("e2", "b") == 202);
    Duration told =
        world.await("it is held", () -> world.held().equals(List.of("p@1/0 ProxyDied")));

    assertThat(live).isLessThan(Duration.ofSeconds(1));
    assertThat(live.plus(told)).isLessThan(Duration.ofSeconds(4));
  }

  /**
   * The proxies of its class are about to reconnect, such as after a restart of the control plane,
   * and somebody of another class is there: what comes now is not theirs to find out.
   */
  @Test
  void aScoutIsAskedWhileTheProxiesOfItsClassReconnect() {
    FakeEnvoy scout = deadlyScout(true);
    proxy("e1", true);
    world.join(
        EnvoyOptions.delta("other").withGroup("b"),
        Validator.on(RouteConfiguration.class, routes -> null));
    serve("a", "b");
    world.advance(Duration.ofSeconds(15));
    int[] deaths = {0};
    world.watch =
        () -> {
          if (strikes) {
            strikes = false;
            deaths[0]++;
            scout.restart();
          }
        };
    world.part("e1");
    world.advance(Duration.ofSeconds(1));
    world.write(Objects.host("a", DEADLY) + Objects.host("b", 202));
    world.await("it is held", () -> world.held().equals(List.of("a@2/1 ProxyDied")));
    proxy("e1", true);
    world.advance(Duration.ofSeconds(5));

    assertThat(deaths[0]).isLessThanOrEqualTo(3);
    assertThat(world.held()).containsExactly("a@2/1 ProxyDied");
    assertThat(status("e1", "a")).isEqualTo(201);
    assertThat(status("e1", "b")).isEqualTo(202);
  }

  /** A policy is what hangs proxies: it is held after one loss, if the scout stays away. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void onlyTheScoutHangs(boolean delta) {
    FakeEnvoy scout = world.scout("s1", delta, refusing);
    for (String node : List.of("e1", "e2")) {
      world.join(node, delta, withoutPolicies(node));
    }
    serve("a", "b");
    scout.conduct(AnswerMode.HANGING);
    world.write(Objects.policy("p", "a") + Objects.host("b", 202));
    Duration told =
        world.await("it is held", () -> world.held().equals(List.of("p@1/0 ProxyHung")));
    assertThat(told).isLessThan(Duration.ofSeconds(10));
    world.settle();
    assertThat(status("e1", "a")).isEqualTo(201);
    assertThat(status("e1", "b")).isEqualTo(202);
  }

  private static Validator withoutPolicies(String node) {
    return Validator.on(
        RouteConfiguration.class,
        routes -> {
          if (routes.toString().contains("envoy_on_request")) {
            throw new AssertionError(node + " was sent what hangs");
          }
          return null;
        });
  }

  /** A scout that somebody restarts just then is no proof. */
  @Test
  void aPolicyThatAScoutLeftUnderForAnotherReasonIsTriedAgain() {
    FakeEnvoy scout = deadlyScout(true);
    proxy("e1", true);
    proxy("e2", true);
    serve("a");
    scout.conduct(AnswerMode.HANGING);
    world.write(Objects.policy("p", "a")).run();
    world.part("s1");
    world.await("it is held", () -> world.held().equals(List.of("p@1/0 ProxyDied")));
    world.advance(Duration.ofSeconds(20));
    assertThat(world.held()).hasSize(1);

    deadlyScout(true);
    world.advance(Duration.ofSeconds(5));
    assertThat(world.held()).isEmpty();
    assertThat(world.said(new ObjectKey("ExtensionPolicy", "default", "p")))
        .isEqualTo("True/Programmed 1/1");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aScoutThatRefusesWhatTheFleetAcceptsIsOdd(boolean delta) {
    world.scout("s1", delta, refusing);
    for (String node : List.of("e1", "e2")) {
      world.join(node, delta, Validator.on(RouteConfiguration.class, routes -> null));
    }
    serve("a", "b");
    world.write(Objects.host("a", Objects.UNSPEAKABLE) + Objects.host("b", 202)).settle();
    world.advance(Duration.ofSeconds(3));

    assertThat(world.held()).isEmpty();
    assertThat(status("e1", "a")).isEqualTo(Objects.UNSPEAKABLE);
    assertThat(status("e2", "b")).isEqualTo(202);
    assertThat(idle("s1")).contains("rejects what the proxies of its class run");
    world.write(Objects.host("b", 203)).settle();
    assertThat(status("e2", "b")).isEqualTo(203);
  }

  @Test
  void whatTheFleetRefusesIsTakenBackFromScouts() {
    FakeEnvoy scout = world.scout("s1", true, Validator.on(RouteConfiguration.class, r -> null));
    proxy("e1", true);
    proxy("e2", true);
    serve("a", "b");
    world.write(Objects.host("a", Objects.UNSPEAKABLE)).settle();
    world.advance(Duration.ofSeconds(3));

    assertThat(world.held()).containsExactly("a@2/1 Rejected");
    assertThat(scout.route(Objects.fqdn("a"), "/").status()).isEqualTo(201);
    world.write(Objects.host("b", 202)).settle();
    assertThat(status("e1", "b")).isEqualTo(202);
  }

  @Test
  void aScoutNeverCounts() {
    world.scout("s1", true, refusing);
    world.write(Objects.host("a", 201)).settle();
    world.advance(Duration.ofSeconds(40));
    assertThat(world.said(Objects.proxy("a"))).startsWith("Unknown/NoDataPlane");
    assertThat(world.totals().proxies()).isZero();

    proxy("e1", true);
    proxy("e2", true);
    world.settle();
    assertThat(world.totals().proxies()).isEqualTo(2);
    assertThat(world.said(Objects.proxy("a"))).isEqualTo("True/Programmed 1/1");
    assertThat(world.proxies()).extracting(ProxyReport::node).containsExactly("e1", "e2", "s1");
    assertThat(idle("s1")).isEmpty();
  }

  @Test
  void aScoutOfAnotherClassIsOfNoUseAndInNobodysWay() {
    FakeEnvoy scout =
        world.join(
            EnvoyOptions.delta("s1").withRole("scout").withGroup("other"),
            Validator.on(RouteConfiguration.class, routes -> "never"));
    scout.conduct(AnswerMode.SILENT);
    proxy("e1", true);
    serve("a");
    world.write(Objects.host("a", 202)).settle();
    assertThat(status("e1", "a")).isEqualTo(202);
    assertThat(world.said(Objects.proxy("a"))).isEqualTo("True/Programmed 2/2");
    assertThat(idle("s1")).isEqualTo("no proxy of its class is connected");
  }

  @Test
  void aScoutThatIsAwayIsReplacedByACanary() {
    world.scout("s1", true, refusing);
    FakeEnvoy canary = proxy("e1", true);
    proxy("e2", true);
    serve("a", "b");
    world.part("s1");
    world.settle();
    world.write(Objects.host("b", 202) + Objects.bad("a", 202)).settle();
    world.advance(Duration.ofSeconds(2));
    assertThat(world.held()).containsExactly("a@2/1 Rejected");
    assertThat(refusals(canary)).isGreaterThan(0);
    assertThat(status("e2", "b")).isEqualTo(202);
  }

  @Test
  void theClustersOfAScoutLeadNowhere() {
    List<String> given = new ArrayList<>();
    Validator collecting =
        Validator.on(
            ClusterLoadAssignment.class,
            endpoints -> {
              given.add(endpoints.toString());
              return null;
            });
    FakeEnvoy scout = world.scout("s1", true, collecting);
    proxy("e1", true);
    world.write(Objects.service("s", "10.0.0.1") + Objects.forward("f", "s")).settle();
    world.advance(Duration.ofSeconds(1));
    assertThat(scout.activeClusters()).contains("default/s/80");
    assertThat(given).isNotEmpty().noneMatch(each -> each.contains("10.0.0.1"));
    assertThat(status("s1", "f")).isEqualTo(503);
    assertThat(status("e1", "f")).isNotEqualTo(503);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void withoutStateTheSearchTakesPlaceOnTheScout(boolean delta) {
    world.scout("s1", delta, refusing);
    proxy("e1", delta);
    proxy("e2", delta);
    serve("a", "b", "c", "d", "e");
    world.kill();
    world.write(Objects.bad("c", 202) + Objects.host("d", 202));
    world.forget();
    world.watch =
        () -> {
          for (String node : List.of("e1", "e2")) {
            assertThat(status(node, "a")).isEqualTo(201);
            assertThat(status(node, "b")).isEqualTo(201);
          }
        };
    world.up().settle();
    world.advance(Duration.ofSeconds(10));

    assertThat(world.held()).containsExactly("c@1/0 RejectedNew");
    assertThat(status("e1", "d")).isEqualTo(202);
    assertThat(status("e2", "d")).isEqualTo(202);
    for (String name : List.of("a", "b", "d", "e")) {
      assertThat(world.said(Objects.proxy(name))).as(name).isEqualTo("True/Programmed 1/1");
    }
    world.write(Objects.host("c", 203)).settle();
    assertThat(status("e1", "c")).isEqualTo(203);
  }

  @Test
  void scoutsAloneTellWhatTheyRefuse() {
    world.scout("s1", true, refusing);
    world.write(Objects.host("a", 201) + Objects.bad("b", 201)).settle();
    world.advance(Duration.ofSeconds(40));
    assertThat(world.held()).containsExactly("b@1/0 RejectedNew");
    assertThat(world.said(Objects.proxy("a"))).startsWith("Unknown/NoDataPlane");

    proxy("e1", true);
    proxy("e2", true);
    world.settle();
    world.advance(Duration.ofSeconds(10));
    assertThat(world.held()).containsExactly("b@1/0 RejectedNew");
    assertThat(refusals(world.envoy("e1"))).isEqualTo(1);
    assertThat(status("e2", "a")).isEqualTo(201);
  }

  private String idle(String node) {
    return world.proxies().stream()
        .filter(proxy -> proxy.node().equals(node))
        .map(proxy -> java.util.Objects.requireNonNull(proxy.scout()).idle())
        .findFirst()
        .orElseThrow();
  }
}
