// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.envoy.FakeEnvoy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nobody is said to be refused for having been tried together with the one that is. */
class InnocenceTest {
  private static final List<String> INNOCENT = List.of("a", "b", "c", "d", "f", "g", "h");

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void innocentsAreNeverCalledRejected(boolean delta) {
    World world = new World().up();
    FakeEnvoy envoy = world.join("e1", delta);
    StringBuilder before = new StringBuilder(Objects.host("e", 201));
    INNOCENT.forEach(name -> before.append(Objects.host(name, 201)));
    world.write(before.toString()).settle();
    StringBuilder edits = new StringBuilder(Objects.bad("e", 202));
    INNOCENT.forEach(name -> edits.append(Objects.host(name, 202)));
    world.write(edits.toString()).runSlowly(Duration.ofMillis(20)).settle();

    assertThat(world.said(Objects.proxy("e"))).isEqualTo("False/Rejected 1/2");
    for (String name : INNOCENT) {
      assertThat(world.said(Objects.proxy(name))).as(name).isEqualTo("True/Programmed 2/2");
      assertThat(world.history(Objects.proxy(name)))
          .as(name)
          .extracting(entry -> entry.kind().name())
          .doesNotContain("REJECTED")
          .contains("PROGRAMMED");
    }
    assertThat(envoy.route(Objects.fqdn("h"), "/").status()).isEqualTo(202);
  }
}
