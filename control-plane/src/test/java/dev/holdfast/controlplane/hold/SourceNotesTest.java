// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.SourceNote;
import dev.holdfast.testkit.envoy.FakeEnvoy;
import org.junit.jupiter.api.Test;

/** What a source has to say of objects, and what it cannot read. */
class SourceNotesTest {
  @Test
  void aNoteIsAConditionAsLongAsTheSourceSaysSo() {
    World world = serving();

    world.note(Objects.proxy("a"), new SourceNote("Duplicate", "a.yaml:1:1: twice")).settle();
    assertThat(world.condition(Objects.proxy("a"), "Source"))
        .isEqualTo("False/Duplicate a.yaml:1:1: twice");
    assertThat(world.condition(Objects.proxy("b"), "Source")).isEmpty();
    assertThat(world.said(Objects.proxy("a"))).isEqualTo("True/Programmed 1/1");

    world.kill();
    world.up().settle();
    assertThat(world.condition(Objects.proxy("a"), "Source")).as("not said any more").isEmpty();
    world.close();
  }

  @Test
  void whatCannotBeReadAtTheStartIsServedAsItWas() {
    World world = serving();
    FakeEnvoy envoy = world.envoy("e1");
    world.watch =
        () -> {
          assertThat(envoy.route(Objects.fqdn("a"), "/").status()).isEqualTo(201);
          assertThat(envoy.route(Objects.fqdn("b"), "/").status()).isEqualTo(201);
        };

    world.kill();
    world.delete(Objects.proxy("a")).readable(false).up().settle();
    assertThat(world.condition(Objects.proxy("a"), "Source")).startsWith("False/Unreadable ");
    assertThat(world.said(Objects.proxy("a"))).isEqualTo("True/Programmed 1/1");
    world.kill();
    world.up().settle();
    world.write(Objects.host("c", 203)).settle();
    assertThat(envoy.route(Objects.fqdn("c"), "/").status()).isEqualTo(203);

    world.readable(true).write(Objects.host("a", 201)).settle();
    assertThat(world.condition(Objects.proxy("a"), "Source")).isEmpty();
    assertThat(world.statuses()).hasSize(3);
    world.close();
  }

  @Test
  void whatIsNotThereOnceEverythingCanBeReadIsGone() {
    World world = serving();
    world.kill();
    world.delete(Objects.proxy("a")).readable(false).up().settle();

    world.readable(true).note(Objects.proxy("b"), new SourceNote("Odd", "odd")).settle();

    assertThat(world.envoy("e1").route(Objects.fqdn("a"), "/").status()).isEqualTo(404);
    assertThat(world.statuses()).containsOnlyKeys("HTTPProxy/b");
    world.close();
  }

  private static World serving() {
    World world = new World().up();
    world.join("e1", /* delta= */ true);
    world.write(Objects.host("a", 201) + Objects.host("b", 201)).settle();
    return world;
  }
}
