// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.envoy.Validator;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/**
 * A restart makes nothing young, and what a proxy rejected once is told from what it rejects now.
 */
class AgesTest {
  private final World world = new World().up();

  @Test
  void aHoldIsAsOldAfterARestartAsBefore() {
    world.join("e1", /* delta= */ true);
    world.write(Objects.host("a", 201)).settle();
    world.write(Objects.bad("a", 202)).settle();
    Instant since = world.holdReports().get(0).since();

    world.kill();
    world.advance(Duration.ofHours(1));
    world.up().settle().advance(Duration.ofMinutes(1));

    assertThat(world.held()).containsExactly("a@2/1 Rejected");
    Instant after = world.holdReports().get(0).since();
    assertThat(Duration.between(since, after)).isLessThan(Duration.ofSeconds(2));

    world.advance(Duration.ofMinutes(10));
    Instant edited = world.time.now();
    world.write(Objects.bad("a", 203)).settle();

    assertThat(world.held()).containsExactly("a@3/1 Rejected");
    assertThat(world.holdReports().get(0).since()).isAfterOrEqualTo(edited);
  }

  @Test
  void aProxyDoesNotRejectWhatIsHeld() {
    world.join("e1", /* delta= */ true);
    world.write(Objects.host("a", 201)).settle();
    world.write(Objects.bad("a", 202)).settle();

    assertThat(world.held()).containsExactly("a@2/1 Rejected");
    assertThat(
            world.proxies().get(0).streams().get(0).types().stream()
                .filter(type -> type.lastError() != null))
        .isNotEmpty()
        .allSatisfy(type -> assertThat(type.refuses()).isEmpty());
  }

  @Test
  void aProxyThatRejectsWhatTheOthersRunDoesSoNow() {
    world.join("e1", /* delta= */ true);
    world.join("e2", /* delta= */ true);
    world.write(Objects.host("a", 201)).settle();
    world.join(
        "e3",
        /* delta= */ true,
        Validator.on(RouteConfiguration.class, routes -> "I take no routes"));
    world.settle();

    assertThat(world.proxies().get(2).diverged()).isNotNull();
    assertThat(
            world.proxies().get(2).streams().get(0).types().stream()
                .flatMap(type -> type.refuses().stream()))
        .contains("ingress_http");
  }
}
