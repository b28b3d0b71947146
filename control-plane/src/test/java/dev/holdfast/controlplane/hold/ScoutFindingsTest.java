// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.envoy.AnswerMode;
import dev.holdfast.testkit.envoy.EnvoyOptions;
import dev.holdfast.testkit.envoy.FakeEnvoy;
import dev.holdfast.testkit.envoy.ReceivedResponse;
import dev.holdfast.testkit.envoy.Validator;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What scouts have found holds for what they have seen, and no longer than they say so; and proxies
 * see nothing else.
 */
class ScoutFindingsTest {
  private final World world = new World().up();

  @AfterEach
  void nothingBroke() {
    assertThat(world.internalErrors().count()).isZero();
    world.close();
  }

  private static final Validator REFUSING =
      Validator.on(RouteConfiguration.class, ScoutFindingsTest::refuse);

  private static @Nullable String refuse(RouteConfiguration routes) {
    return routes.getVirtualHostsList().stream()
            .flatMap(host -> host.getRoutesList().stream())
            .anyMatch(route -> route.getDirectResponse().getStatus() == Objects.UNSPEAKABLE)
        ? "there is something wrong with a route"
        : null;
  }

  private FakeEnvoy scoutOf(String group, String node) {
    return world.join(EnvoyOptions.delta(node).withGroup(group).withRole("scout"), REFUSING);
  }

  private void proxyOf(String group, String node) {
    world.join(EnvoyOptions.delta(node).withGroup(group), REFUSING);
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

  /** The scout of one class is back, and that of the other one is not: that still convicts. */
  @Test
  void aPolicyThatScoutsOfTwoClassesWereLostToWaitsForBoth() {
    scoutOf("a", "s1");
    scoutOf("b", "s2");
    for (String group : List.of("a", "b")) {
      proxyOf(group, "e1-" + group);
      proxyOf(group, "e2-" + group);
    }
    serve("h");
    world.envoy("s1").conduct(AnswerMode.HANGING);
    world.envoy("s2").conduct(AnswerMode.HANGING);
    world.write(Objects.policy("p", "h")).run();
    world.part("s1");
    world.part("s2");
    world.run();

    scoutOf("a", "s1");
    world.advance(Duration.ofSeconds(30));
    assertThat(world.held()).containsExactly("p@1/0 ProxyDied");

    scoutOf("b", "s2");
    world.advance(Duration.ofSeconds(5));
    assertThat(world.held()).isEmpty();
  }

  /** One loss is enough to hold a policy. One that was mended is another one. */
  @Test
  void whatCameWithAPolicyThatWasMendedIsNotHeldInItsPlace() {
    scoutOf("a", "s1");
    proxyOf("a", "e1");
    proxyOf("a", "e2");
    serve("h");
    world.envoy("s1").conduct(AnswerMode.HANGING);
    world.write(Objects.host("i", 201) + Objects.policy("p", "i")).run();
    world.part("s1");
    world.run();

    world.write(Objects.policy("p", "i", "-- mended"));
    world.advance(Duration.ofSeconds(20));
    assertThat(world.held()).isEmpty();
    assertThat(status("e1", "i")).isEqualTo(201);
    assertThat(status("e2", "i")).isEqualTo(201);
  }

  /** The same after two losses, of which it is not known yet whether they count. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatCameTwiceWithAPolicyThatWasMendedIsNotHeldInItsPlace(boolean delta) {
    fleetThatScriptsKill(delta);
    serve("h");
    world.write(Objects.host("i", 201) + Objects.policy("p", "i", DEADLY));
    world.await("it has struck twice", () -> struck == 2);
    world.write(Objects.policy("p", "i", "-- mended"));
    world.advance(Duration.ofSeconds(30));
    assertThat(world.held()).isEmpty();
    assertThat(status("e1", "i")).isEqualTo(201);
    assertThat(status("e2", "i")).isEqualTo(201);
  }

  /** A new policy is blamed for what it came with, which is mended then. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatIsMendedSetsFreeWhatWasBlamedForIt(boolean delta) {
    world.scout("s1", delta, REFUSING);
    world.join("e1", delta, REFUSING);
    world.join("e2", delta, REFUSING);
    serve("h");
    world.write(Objects.bad("i", 201) + Objects.policy("p", "i")).settle();
    world.advance(Duration.ofSeconds(5));
    assertThat(world.held()).containsExactly("p@1/0 RejectedNew", "i@1/0 DependencyRejected");

    world.write(Objects.host("i", 202)).settle();
    world.advance(Duration.ofSeconds(5));
    assertThat(world.held()).isEmpty();
    assertThat(status("e1", "i")).isEqualTo(202);
    assertThat(status("e2", "i")).isEqualTo(202);
  }

  /** What ends, or hangs, a proxy. */
  private static final String DEADLY = "-- deadly";

  private boolean strikes;
  private int struck;

  /** One that scripts kill, and that is started again; proxies that are served never get them. */
  private void fleetThatScriptsKill(boolean delta) {
    fleetThatScriptsKill(delta, REFUSING);
  }

  private void fleetThatScriptsKill(boolean delta, Validator ofScout) {
    FakeEnvoy scout =
        world.scout(
            "s1",
            delta,
            message -> {
              strikes |= message.toString().contains(DEADLY);
              return ofScout.check(message);
            });
    for (String node : List.of("e1", "e2")) {
      world.join(
          node,
          delta,
          message -> {
            if (message.toString().contains(DEADLY)) {
              throw new AssertionError(node + " was sent what kills");
            }
            return REFUSING.check(message);
          });
    }
    world.watch =
        () -> {
          if (strikes) {
            strikes = false;
            struck++;
            scout.restart();
          }
        };
  }

  /** Which of two that claim a host comes first is decided once, by what scouts were shown. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aHostThatScoutsServeInPlaceOfAnotherIsTheOneThatProxiesTry(boolean delta) {
    fleetThatScriptsKill(delta);
    serve("h");
    world.write(Objects.rival("z", "i", 201));
    while (status("s1", "i") != 201) { // at the same time, so that names decide
      assertThat(world.step()).isTrue();
    }
    world.write(Objects.host("i", 202) + Objects.policy("p", "i", DEADLY)).settle();
    world.advance(Duration.ofSeconds(30));

    assertThat(status("e1", "i")).isEqualTo(201);
    assertThat(world.held()).containsExactly("p@1/0 InvalidNew", "i@1/0 Conflict");
  }

  /** Scouts accept what the fleet refuses, and another host gets in its place there. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatTakesThePlaceOfWhatTheFleetRefusesIsTriedByScoutsFirst(boolean delta) {
    fleetThatScriptsKill(delta, message -> null);
    serve("h");
    world
        .write(
            Objects.rival("a", "i", Objects.UNSPEAKABLE)
                + Objects.host("i", 202)
                + Objects.policy("p", "i", DEADLY))
        .settle();
    world.advance(Duration.ofSeconds(30));

    assertThat(world.held())
        .containsExactly("p@1/0 ProxyDied", "a@1/0 RejectedNew", "i@1/0 DependencyRejected");
  }

  /** Scouts accept a policy that has no effect there, because they have refused its host. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aPolicyForWhatScoutsRefuseIsNotShownToProxiesWithIt(boolean delta) {
    fleetThatScriptsKill(delta);
    serve("h");
    world.write(Objects.host("i", 201).replace("routes:", "oops: 1, routes:")).settle();
    world.write(Objects.bad("i", 201));
    while (refusals("s1") == 0) {
      assertThat(world.step()).isTrue();
    }
    world.write(Objects.policy("p", "i", DEADLY)).settle();
    world.advance(Duration.ofSeconds(30));
    assertThat(world.held()).contains("i@2/0 RejectedNew");

    world.write(Objects.host("i", 202)).settle();
    world.advance(Duration.ofSeconds(30));
    assertThat(world.held()).containsExactly("i@3/0 ProxyDied"); // it gives effect to the policy
  }

  private long refusals(String node) {
    return world.envoy(node).received().stream()
        .filter(response -> response.outcome() == ReceivedResponse.Outcome.REJECTED)
        .count();
  }
}
