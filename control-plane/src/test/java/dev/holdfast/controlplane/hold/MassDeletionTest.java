// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.HistoryEntry;
import dev.holdfast.testkit.envoy.FakeEnvoy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A directory that was emptied takes no host down before somebody confirms it. */
class MassDeletionTest {
  private static final int HOSTS = 12;
  private static final int FORWARDED = 200;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everythingIsServedUntilItIsConfirmed(boolean delta) {
    World world = serving(delta);
    FakeEnvoy envoy = world.envoy("e1");
    int before = envoy.received().size();

    world.deleteAll().settle();
    world.advance(Duration.ofMinutes(10));

    assertThat(envoy.received()).as("Envoy hears nothing of it").hasSize(before);
    assertThat(world.deletions().items()).hasSize(objects());
    assertThat(world.deletions().hosts()).hasSize(HOSTS);
    assertThat(world.said(Objects.proxy("h0"))).isEqualTo("True/Programmed 1/1");
    assertThat(world.history(Objects.proxy("h0")))
        .extracting(entry -> entry.kind().name())
        .endsWith("DELETION_HELD")
        .doesNotContain("OBJECT_REMOVED");

    assertThat(world.confirm("a set that nobody waits for")).isFalse();
    assertThat(world.confirm(world.deletions().set())).isTrue();
    world.settle();

    assertThat(envoy.route(Objects.fqdn("h0"), "/").status()).isEqualTo(404);
    assertThat(world.deletions().items()).isEmpty();
    assertThat(world.statuses()).isEmpty();
    assertThat(world.history(Objects.proxy("h0")))
        .extracting(HistoryEntry::kind)
        .extracting(HistoryEntry.Kind::name)
        .contains("DELETION_CONFIRMED", "OBJECT_REMOVED");
    world.kill();
    world.up().settle();
    assertThat(world.statuses()).as("what was confirmed does not come back").isEmpty();
    assertThat(envoy.route(Objects.fqdn("h0"), "/").status()).isEqualTo(404);
    world.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aServerThatIsKilledServesOnFromItsState(boolean delta) {
    World world = serving(delta);
    FakeEnvoy envoy = world.envoy("e1");
    world.watch = () -> assertServed(envoy);

    world.deleteAll().settle();
    for (int i = 0; i < 3; i++) {
      world.kill();
      world.advance(Duration.ofSeconds(2));
      world.up().settle();
      world.advance(Duration.ofMinutes(2));
    }

    assertThat(world.deletions().items()).hasSize(objects());
    assertThat(world.said(Objects.proxy("h0"))).isEqualTo("True/Programmed 1/1");
    world.join("new", delta);
    world.settle();
    assertServed(world.envoy("new"));
    world.write(yaml()).settle();
    assertThat(world.deletions().items()).isEmpty();
    assertThat(world.history(Objects.proxy("h0")))
        .extracting(entry -> entry.kind().name())
        .endsWith("DELETION_UNDONE");
    world.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aDirectoryThatWasEmptiedWhileTheServerWasDownIsServed(boolean delta) {
    World world = serving(delta);
    FakeEnvoy envoy = world.envoy("e1");
    world.watch = () -> assertServed(envoy);

    world.kill();
    world.deleteAll();
    world.up().settle();
    world.advance(Duration.ofMinutes(2));

    assertThat(world.deletions().items()).hasSize(objects());
    assertThat(world.confirm("")).isTrue();
    world.watch = () -> {};
    world.settle();
    assertThat(envoy.route(Objects.fqdn("h0"), "/").status()).isEqualTo(404);
    world.close();
  }

  @Test
  void theFewThatWaitStillWaitAfterARestart() {
    World world = serving(/* delta= */ true);
    FakeEnvoy envoy = world.envoy("e1");
    for (int i = 0; i < HOSTS; i++) {
      world.delete(Objects.proxy("h" + i)).run();
    }
    world.settle();
    List<String> waiting = world.deletions().items().stream().map(one -> one.key().name()).toList();
    assertThat(waiting).containsExactly("h10", "h11");

    world.kill();
    world.up().settle();

    assertThat(world.deletions().items()).extracting(one -> one.key().name()).isEqualTo(waiting);
    assertThat(envoy.route(Objects.fqdn("h11"), "/").status()).isEqualTo(200);
    assertThat(envoy.route(Objects.fqdn("h0"), "/").status()).isEqualTo(404);
    world.close();
  }

  @Test
  void othersAreServedTheirEditsMeanwhile() {
    World world = serving(/* delta= */ false);
    world.deleteAll().settle();

    world.write(Objects.host("h3", 203) + Objects.host("new", 204)).settle();

    FakeEnvoy envoy = world.envoy("e1");
    assertThat(envoy.route(Objects.fqdn("h3"), "/").status()).isEqualTo(203);
    assertThat(envoy.route(Objects.fqdn("new"), "/").status()).isEqualTo(204);
    assertThat(envoy.route(Objects.fqdn("h4"), "/").status()).isEqualTo(FORWARDED);
    assertThat(world.deletions().items()).hasSize(objects() - 1);
    world.close();
  }

  @Test
  void aSingleDeletionIsNotDelayed() {
    World world = serving(/* delta= */ false);

    world.delete(Objects.proxy("h0")).settle();

    assertThat(world.envoy("e1").route(Objects.fqdn("h0"), "/").status()).isEqualTo(404);
    assertThat(world.deletions().items()).isEmpty();
    world.close();
  }

  private static void assertServed(FakeEnvoy envoy) {
    for (int i = 0; i < HOSTS; i++) {
      assertThat(envoy.route(Objects.fqdn("h" + i), "/").status()).isEqualTo(FORWARDED);
    }
  }

  /** The hosts, and a Service with its endpoints. */
  private static int objects() {
    return HOSTS + 2;
  }

  private static String yaml() {
    StringBuilder yaml = new StringBuilder(Objects.service("s", "127.0.0.1"));
    for (int i = 0; i < HOSTS; i++) {
      yaml.append(Objects.forward("h" + i, "s"));
    }
    return yaml.toString();
  }

  private static World serving(boolean delta) {
    World world = new World().up();
    world.join("e1", delta);
    world.write(yaml()).settle();
    assertServed(world.envoy("e1"));
    return world;
  }
}
