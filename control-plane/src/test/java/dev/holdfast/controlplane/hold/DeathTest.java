// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.envoy.FakeEnvoy;
import dev.holdfast.testkit.envoy.Validator;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A change that Envoys die of costs a class two of them, wherever their connections break. */
class DeathTest {
  private static final int MOST_STEPS = 60;

  private boolean dying;
  private int deaths;

  /** Counts the steps since the first death; negative before it. */
  private int steps;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void oneThatDiedAndLosesItsConnectionHasDiedNevertheless(boolean delta) {
    for (int step = 0; step < MOST_STEPS; step++) {
      World world = new World().up();
      deaths = 0;
      steps = -1;
      dying = false;
      FakeEnvoy envoy =
          world.join("e1", delta, Validator.on(RouteConfiguration.class, this::dieOfIt));
      world.write(Objects.host("a", 201) + Objects.service("s", "10.0.0.1"));
      world.write(Objects.forward("f", "s")).settle();
      int at = step;
      world.watch =
          () -> {
            if (dying) {
              dying = false;
              deaths++;
              steps = Math.max(steps, 0);
              envoy.restart();
            } else if (steps >= 0 && steps++ == at) {
              envoy.disconnect();
            }
          };
      world.write(Objects.host("a", Objects.UNSPEAKABLE)).settle();
      world.advance(Duration.ofSeconds(30));

      assertThat(deaths).as("deaths if the connection breaks at step %d", step).isEqualTo(2);
      assertThat(world.held()).as("step %d", step).containsExactly("a@2/1 ProxyDied");
      assertThat(envoy.route(Objects.fqdn("a"), "/").status()).isEqualTo(201);
      world.close();
    }
  }

  /** The control plane is killed at some time after the first death, before or after the second. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aDeathIsRememberedOverARestart(boolean delta) {
    for (int millis = 100; millis < 5_000; millis += 150) {
      World world = new World().up();
      deaths = 0;
      List<FakeEnvoy> dead = new ArrayList<>();
      for (String node : List.of("e1", "e2", "e3")) {
        AtomicReference<FakeEnvoy> envoy = new AtomicReference<>();
        envoy.set(
            world.join(
                node,
                delta,
                Validator.on(
                    RouteConfiguration.class,
                    routes -> {
                      if (isDeadly(routes) && !dead.contains(envoy.get())) {
                        dead.add(envoy.get());
                      }
                      return null;
                    })));
      }
      world.write(Objects.host("a", 201) + Objects.host("b", 201)).settle();
      world.watch =
          () -> {
            deaths += dead.size();
            List<FakeEnvoy> restarting = List.copyOf(dead);
            dead.clear();
            restarting.forEach(FakeEnvoy::restart);
          };
      world.write(Objects.host("a", Objects.UNSPEAKABLE));
      world.await("the first death", () -> deaths == 1);
      world.advance(Duration.ofMillis(millis));
      world.kill();
      world.run();
      world.up().settle();
      world.advance(Duration.ofSeconds(30));

      assertThat(deaths).as("deaths if killed %d ms after the first", millis).isEqualTo(2);
      assertThat(world.held()).as("%d ms", millis).containsExactly("a@2/1 ProxyDied");
      world.write(Objects.host("b", 202)).settle();
      for (String node : List.of("e1", "e2", "e3")) {
        assertThat(world.envoy(node).route(Objects.fqdn("a"), "/").status()).isEqualTo(201);
        assertThat(world.envoy(node).route(Objects.fqdn("b"), "/").status()).isEqualTo(202);
      }
      world.close();
    }
  }

  /** Each time that a proxy dies of it, another one loses its connection: that one lives. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aConnectionThatBreaksJustThenExcusesNoDeath(boolean delta) {
    World world = new World().up();
    deaths = 0;
    List<FakeEnvoy> dead = new ArrayList<>();
    for (String node : List.of("e1", "e2", "e3", "e4")) {
      AtomicReference<FakeEnvoy> envoy = new AtomicReference<>();
      envoy.set(
          world.join(
              node,
              delta,
              Validator.on(
                  RouteConfiguration.class,
                  routes -> {
                    if (isDeadly(routes) && !dead.contains(envoy.get())) {
                      dead.add(envoy.get());
                    }
                    return null;
                  })));
    }
    world.write(Objects.host("a", 201)).settle();
    world.watch =
        () -> {
          deaths += dead.size();
          List<FakeEnvoy> restarting = List.copyOf(dead);
          dead.clear();
          for (FakeEnvoy envoy : restarting) {
            envoy.restart();
            world.envoy("e4").disconnect();
          }
        };
    world.write(Objects.host("a", Objects.UNSPEAKABLE)).settle();
    world.advance(Duration.ofSeconds(30));

    assertThat(deaths).isEqualTo(2);
    assertThat(world.held()).containsExactly("a@2/1 ProxyDied");
    world.close();
  }

  private @Nullable String dieOfIt(RouteConfiguration routes) {
    dying |= isDeadly(routes);
    return null;
  }

  private static boolean isDeadly(RouteConfiguration routes) {
    return routes.getVirtualHostsList().stream()
        .flatMap(host -> host.getRoutesList().stream())
        .anyMatch(route -> route.getDirectResponse().getStatus() == Objects.UNSPEAKABLE);
  }
}
