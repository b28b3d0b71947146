// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.AcceptedSpec;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.controlplane.rollout.proxyclass.FleetRolloutObserver;
import dev.holdfast.controlplane.rollout.trial.DisagreementPolicy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two odd proxies are asked first, and accept what most of their class refuse. */
class UndoneCommitTest {
  private static final String BIG = "BIG";
  private static final String NEVER = "nobody says this";

  private final MixedFleet fleet = new MixedFleet(DisagreementPolicy.PER_CLASS);

  private void start() {
    fleet.join("e1", "a", NEVER).join("e2", "a", NEVER);
    fleet.join("e3", "a", BIG).join("e4", "a", BIG).join("e5", "a", BIG);
    fleet.change(fleet.host("x", "1"), fleet.host("y", "1"));
  }

  private void allAnswer(String host, String body) {
    for (String node : List.of("e1", "e2", "e3", "e4", "e5")) {
      assertThat(fleet.proxy(node).answers(host, body)).as(node).isTrue();
    }
  }

  @Test
  void theMajorityIsRight() {
    start();
    fleet.change(fleet.host("x", BIG), fleet.host("y", "2"));

    assertThat(fleet.held()).containsExactly("x@2/1");
    assertThat(fleet.rollouts.diverged()).containsOnlyKeys("e1", "e2");
    assertThat(fleet.told).contains("undone x y");
    allAnswer("x", "1");
    allAnswer("y", "2");
    AcceptedSpec stored = requireNonNull(fleet.accepted.get(fleet.host("x", "").key()));
    assertThat(stored.object().generation()).isEqualTo(1);
    fleet.change(fleet.host("x", "3"));
    allAnswer("x", "3");
  }

  @Test
  void aNewObjectIsAbsentAgain() {
    start();
    fleet.change(fleet.host("z", BIG));

    assertThat(fleet.held()).containsExactly("z@1/0");
    allAnswer("x", "1");
    assertThat(fleet.proxy("e1").answers("z", BIG)).isFalse();
    assertThat(fleet.accepted).doesNotContainKey(fleet.host("z", "").key());
  }

  @Test
  void alsoAfterARestartInBetween() {
    start();
    for (String node : List.of("e3", "e4", "e5")) {
      fleet.proxy(node).silent = true;
    }
    ConfigObject bad = fleet.host("x", BIG);
    fleet.change(bad);
    assertThat(fleet.proxy("e2").answers("x", BIG)).isTrue();
    assertThat(fleet.held()).isEmpty();
    fleet.restart();
    fleet.join("e1", "a", NEVER).join("e2", "a", NEVER);
    fleet.join("e3", "a", BIG).join("e4", "a", BIG).join("e5", "a", BIG);

    assertThat(fleet.held()).containsExactly("x@2/1");
    allAnswer("x", "1");
    allAnswer("y", "1");
  }

  /** Until the others have had time to come back, one proxy is not most of its class. */
  @Test
  void alsoIfTheFirstOneThatIsBackAfterARestartAcceptsItAlone() {
    start();
    fleet.restart();
    fleet.join("e1", "a", NEVER);
    fleet.change(fleet.host("x", BIG));
    assertThat(fleet.proxy("e1").answers("x", BIG)).isTrue();
    assertThat(fleet.held()).isEmpty();

    fleet.join("e3", "a", BIG).join("e4", "a", BIG).join("e5", "a", BIG);

    assertThat(fleet.told).contains("undone x");
    assertThat(fleet.held()).containsExactly("x@2/1");
    for (String node : List.of("e1", "e3", "e4", "e5")) {
      assertThat(fleet.proxy(node).answers("x", "1")).as(node).isTrue();
    }
  }

  @Test
  void whatMostRunIsNotUndoneOnceTheOthersHadTimeToComeBack() {
    start();
    fleet.restart();
    fleet.join("e1", "a", NEVER).join("e2", "a", NEVER);
    fleet.change(fleet.host("x", BIG));
    fleet.pass(Duration.ofSeconds(30));
    fleet.change(fleet.host("y", "2"));

    fleet.join("e3", "a", BIG).join("e4", "a", BIG).join("e5", "a", BIG);

    assertThat(fleet.held()).isEmpty();
    assertThat(fleet.proxy("e1").answers("x", BIG)).isTrue();
    assertThat(fleet.told).noneMatch(line -> line.startsWith("undone"));
  }

  @Test
  void whatMostRunIsNotUndoneLater() {
    fleet.join("e1", "a", NEVER).join("e2", "a", NEVER);
    fleet.change(fleet.host("x", "1"));
    fleet.change(fleet.host("x", BIG));
    fleet.join("e3", "a", BIG).join("e4", "a", BIG).join("e5", "a", BIG);

    assertThat(fleet.held()).isEmpty();
    assertThat(fleet.proxy("e1").answers("x", BIG)).isTrue();
    assertThat(fleet.byClass.keySet())
        .noneMatch(key -> key.proxyClass().equals(FleetRolloutObserver.REPLACED));
  }

  @Test
  void otherClassesKeepIt() {
    start();
    fleet.join("f1", "b", NEVER).join("f2", "b", NEVER);
    fleet.change(fleet.host("x", BIG), fleet.host("y", "2"));

    assertThat(fleet.held()).containsExactly("a:x@2/1");
    assertThat(fleet.proxy("f1").answers("x", BIG)).isTrue();
    allAnswer("x", "1");
    allAnswer("y", "2");
  }
}
