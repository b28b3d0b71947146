// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import static dev.holdfast.controlplane.rollout.Fleet.HANGS;
import static dev.holdfast.controlplane.rollout.Fleet.KILLS;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.hold.Hold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A change that proxies die of, or hang on, costs a class two of them at most. */
class LostCanariesTest {
  private final Fleet fleet = new Fleet();

  @BeforeEach
  void start() {
    for (String node : List.of("e1", "e2", "e3", "e4")) {
      fleet.join(node);
    }
    fleet.change(fleet.host("x", "1"), fleet.host("y", "1"), fleet.host("z", "1"));
  }

  private int deaths() {
    return fleet.members.values().stream().mapToInt(member -> member.deaths).sum();
  }

  /** Time passes, and what died starts again. */
  private void wait(int seconds) {
    for (int i = 0; i < seconds; i++) {
      fleet.comeBack();
      fleet.advance(Duration.ofSeconds(1));
      fleet.settle();
    }
  }

  private Hold hold(String name) {
    return requireNonNull(fleet.rollout.hold(new ObjectKey("HTTPProxy", "default", name)), name);
  }

  private boolean allAnswer(String host, String body) {
    return fleet.members.values().stream().allMatch(member -> member.answers(host, body));
  }

  @Test
  void whatTwoProxiesDieOfIsHeld() {
    fleet.change(fleet.host("x", KILLS));
    assertThat(deaths()).isEqualTo(1);
    wait(10);

    assertThat(deaths()).isEqualTo(2);
    assertThat(fleet.held()).containsExactly("x@2/1");
    assertThat(hold("x").reason()).isEqualTo(Hold.Reason.PROXY_DIED);
    assertThat(requireNonNull(hold("x").evidence()).message())
        .contains("e1 went away", "e2 went away");
    assertThat(allAnswer("x", "1")).isTrue();
    fleet.change(fleet.host("x", "3"));
    assertThat(fleet.held()).isEmpty();
    assertThat(allAnswer("x", "3")).isTrue();
    assertThat(deaths()).isEqualTo(2);
  }

  @Test
  void whoConfirmsCounts() {
    fleet.member("e1").immune = true;
    fleet.change(fleet.host("x", KILLS));
    wait(10);

    assertThat(deaths()).isEqualTo(2);
    assertThat(fleet.held()).containsExactly("x@2/1");
    assertThat(requireNonNull(hold("x").evidence()).message())
        .contains("e2 went away", "e3 went away");
    assertThat(allAnswer("x", "1")).isTrue();
  }

  @Test
  void whoDiesOfItLaterTogetherWithWhoConfirmsItCountsToo() {
    fleet.member("e1").immune = true;
    fleet.change(fleet.host("x", KILLS));
    assertThat(fleet.member("e2").deaths).isEqualTo(1);
    fleet.member("e1").gone = true;
    fleet.member("e1").deaths++;
    fleet.run(() -> fleet.rollout.left("e1", fleet.member("e1").proxyClass));
    wait(10);

    assertThat(deaths()).isEqualTo(2);
    assertThat(fleet.held()).containsExactly("x@2/1");
  }

  /** Both die in the same moment; of class a, the second proxy takes no harm. */
  @Test
  void everyCanaryThatDiesCounts() {
    fleet.join("f1", "a", Fleet.BAD).join("f2", "a", Fleet.BAD);
    fleet.join("g1", "b", Fleet.BAD).join("g2", "b", Fleet.BAD).join("g3", "b", Fleet.BAD);
    List.of("e1", "e2", "e3", "e4", "f2").forEach(node -> fleet.member(node).immune = true);
    ConfigObject deadly = fleet.host("x", KILLS);
    fleet.run(
        () -> {
          fleet.rollout.change(new TreeMap<>(Map.of(deadly.key(), deadly)));
          List.of("f1", "g1").forEach(node -> left(fleet, node));
        });
    fleet.settle();
    wait(20);

    assertThat(Stream.of("g1", "g2", "g3").mapToInt(node -> fleet.member(node).deaths).sum())
        .isEqualTo(2);
    assertThat(fleet.held()).containsExactly("x@2/1");
  }

  /** It ends whenever it has been shown something, and comes again. */
  @Test
  void anApplicationThatMakesACallAndEndsConvictsNobody() {
    for (String node : List.of("e2", "e3", "e4")) {
      fleet.members.remove(node);
    }
    fleet.member("e1").passing = true;
    fleet.change(fleet.host("x", KILLS));
    for (int i = 0; i < 5; i++) {
      fleet.run(() -> left(fleet, "e1"));
      wait(3);
    }
    assertThat(fleet.held()).isEmpty();
    fleet.join("e2");
    fleet.member("e2").immune = true;
    fleet.member("e1").immune = true;
    wait(10);

    assertThat(fleet.held()).isEmpty();
    assertThat(fleet.member("e2").answers("x", KILLS)).isTrue();
  }

  @Test
  void othersDoNotWait() {
    fleet.change(fleet.host("x", KILLS));
    fleet.change(fleet.host("y", "2"));

    assertThat(fleet.member("e3").answers("y", "2")).isTrue();
  }

  @Test
  void oneOfSeveralChangesIsFound() {
    fleet.change(fleet.host("x", "2"), fleet.host("y", KILLS), fleet.host("z", "2"));
    wait(10);

    assertThat(deaths()).isEqualTo(2);
    assertThat(fleet.held()).contains("y@2/1");
  }

  @Test
  void aProxyThatIsAloneIsLostTwice() {
    for (String node : List.of("e2", "e3", "e4")) {
      fleet.members.remove(node);
    }
    fleet.change(fleet.host("x", KILLS));
    wait(20);

    assertThat(deaths()).isEqualTo(2);
    assertThat(fleet.held()).containsExactly("x@2/1");
  }

  @Test
  void aRestartRemembersIt() {
    ConfigObject bad = fleet.host("x", KILLS);
    fleet.change(bad);
    wait(10);
    fleet.restart(List.of(bad, fleet.host("y", "2"), fleet.host("z", "2"))).settle();
    wait(10);

    assertThat(deaths()).isEqualTo(2);
    assertThat(fleet.held()).containsExactly("x@2/1");
    assertThat(hold("x").reason()).isEqualTo(Hold.Reason.PROXY_DIED);
  }

  @Test
  void whatProxiesDieOfAtAColdStartIsLeftOutAndFound() {
    Fleet cold = new Fleet();
    Policies policies = new Policies();
    cold.join("e1").join("e2").join("e3");
    cold.change(
        cold.host("x", "1"),
        policies.of("deadly", "x", KILLS),
        cold.host("y", "1"),
        policies.of("good", "y", "fine"),
        cold.host("z", "1"));
    for (int i = 0; i < 15; i++) {
      cold.run(() -> List.of("e1", "e2", "e3").forEach(node -> left(cold, node)));
      cold.settle();
      cold.comeBack();
      cold.advance(Duration.ofSeconds(1));
      cold.settle();
    }

    assertThat(cold.held()).containsExactly("deadly@1/0", "x@1/0");
    for (String node : List.of("e1", "e2", "e3")) {
      assertThat(cold.member(node).deaths).as(node).isLessThanOrEqualTo(2);
      assertThat(cold.member(node).answers("y", "1")).isTrue();
      assertThat(cold.member(node).has("fine")).isTrue();
      assertThat(cold.member(node).answers("z", "1")).isTrue();
    }
  }

  @Test
  void itIsLeftOutAlsoWhileAnotherProxySearchesForWhatItRefuses() {
    Fleet cold = new Fleet();
    cold.join("e1", "a", "BAD").join("e2", "a", "BAD").join("e3", "a", "BAD");
    cold.member("e1").immune = true;
    cold.member("e1").mute = 2; // in the middle of its search
    cold.member("e2").silent = true;
    cold.member("e3").silent = true;
    cold.change(
        cold.host("x", "1"),
        new Policies().of("deadly", "x", KILLS),
        cold.host("y", "BAD"),
        cold.host("z", "1"));

    cold.run(cold.member("e2")::speak);
    cold.run(() -> left(cold, "e2"));
    assertThat(cold.member("e2").deaths).isEqualTo(1);
    cold.comeBack();
    assertThat(cold.member("e2").deaths).as("it is not shown the same again").isEqualTo(1);
    cold.run(cold.member("e3")::speak);
    assertThat(cold.member("e3").deaths).as("nor is anybody else").isZero();
  }

  private static ConfigObject notValid(ConfigObject object) {
    return new TestYaml()
        .read(
            """
            apiVersion: projectcontour.io/v1
            kind: HTTPProxy
            metadata: {name: %s}
            spec: {oops: true}
            """
                .formatted(object.key().name()))
        .get(0)
        .with(object.generation(), object.created());
  }

  private static void left(Fleet cold, String node) {
    if (cold.member(node).gone) {
      cold.rollout.left(node, cold.member(node).proxyClass);
    }
  }

  /** They are one bundle because both hosts use a Service that is new, too. */
  @Test
  void aPolicyIsNotHeldForTheDeedsOfAnotherThatCameWithIt() {
    Policies policies = new Policies();
    List<ConfigObject> objects =
        new ArrayList<>(
            new TestYaml()
                .read(
                    """
                    {apiVersion: v1, kind: Service, metadata: {name: s}, spec: {ports: [{port: 80}]}}
                    ---
                    apiVersion: projectcontour.io/v1
                    kind: HTTPProxy
                    metadata: {name: v}
                    spec: {virtualhost: {fqdn: v.com}, routes: [{services: [{name: s, port: 80}]}]}
                    ---
                    apiVersion: projectcontour.io/v1
                    kind: HTTPProxy
                    metadata: {name: w}
                    spec: {virtualhost: {fqdn: w.com}, routes: [{services: [{name: s, port: 80}]}]}
                    """));
    objects.add(policies.of("deadly", "v", KILLS));
    objects.add(policies.of("good", "w", "fine"));
    fleet.change(objects);
    wait(20);

    assertThat(deaths()).isEqualTo(2);
    assertThat(fleet.held()).containsExactly("deadly@1/0", "v@1/0");
    assertThat(fleet.members.values()).allMatch(member -> member.has("fine"));
  }

  /** Its author mends it before anybody has drawn a conclusion. */
  @Test
  void whatCameWithAPolicyThatIsMendedIsNotHeldInItsPlace() {
    Policies policies = new Policies();
    List<ConfigObject> objects =
        new ArrayList<>(
            new TestYaml()
                .read(
                    """
                    {apiVersion: v1, kind: Service, metadata: {name: s}, spec: {ports: [{port: 80}]}}
                    ---
                    apiVersion: projectcontour.io/v1
                    kind: HTTPProxy
                    metadata: {name: v}
                    spec: {virtualhost: {fqdn: v.com}, routes: [{services: [{name: s, port: 80}]}]}
                    """));
    objects.add(policies.of("mended", "v", KILLS));
    fleet.change(objects);
    while (deaths() < 2) {
      wait(1);
    }
    fleet.change(policies.of("mended", "v", "fine"));
    wait(20);

    assertThat(fleet.held()).isEmpty();
    assertThat(fleet.members.values()).allMatch(member -> member.has("fine"));
    assertThat(deaths()).isEqualTo(2);
  }

  /** What it is for is edited, deleted, and written again: none of that mends the policy. */
  @Test
  void aPolicyIsNotTriedAgainBecauseItsTargetChanges() {
    Policies policies = new Policies();
    ConfigObject deadly = policies.of("deadly", "x", KILLS);
    fleet.change(deadly);
    wait(10);
    assertThat(deaths()).isEqualTo(2);
    assertThat(fleet.held()).containsExactly("deadly@1/0");
    fleet.change(notValid(fleet.host("x", "2")));
    wait(10);
    fleet.change(fleet.host("x", "x.com", "2", "/other"));
    wait(10);
    fleet.delete(new ObjectKey("HTTPProxy", "default", "x"));
    wait(10);
    fleet.change(fleet.host("x", "3"));
    wait(10);

    assertThat(deaths()).isEqualTo(2);
    assertThat(fleet.held()).contains("deadly@1/0");
    fleet.change(policies.of("deadly", "x", "fine"));
    wait(10);
    assertThat(fleet.held()).isEmpty();
    assertThat(fleet.members.values()).allMatch(member -> member.has("fine"));
  }

  @Test
  void whatProxiesHangOnIsHeld() {
    fleet.change(fleet.host("x", HANGS));
    wait(30);

    assertThat(fleet.held()).containsExactly("x@2/1");
    assertThat(hold("x").reason()).isEqualTo(Hold.Reason.PROXY_HUNG);
    assertThat(fleet.members.values().stream().filter(member -> member.silent)).hasSize(2);
    fleet.change(fleet.host("y", "2"));
    assertThat(fleet.member("e4").answers("y", "2")).isTrue();
  }

  @Test
  void theAuthorIsToldAlsoIfThereIsNobodyElseToAsk() {
    for (String node : List.of("e2", "e3", "e4")) {
      fleet.members.remove(node);
    }
    fleet.change(fleet.host("x", HANGS));
    wait(30);

    assertThat(hold("x").reason()).isEqualTo(Hold.Reason.PROXY_HUNG);
  }

  @Test
  void whoAnswersLateAcquits() {
    fleet.members.values().forEach(member -> member.mute = member.pushes + 1);
    fleet.change(fleet.host("x", "2"));
    wait(30);
    assertThat(hold("x").reason()).isEqualTo(Hold.Reason.PROXY_HUNG);
    fleet.members.values().forEach(member -> member.mute = Integer.MAX_VALUE);
    fleet.members.values().forEach(Fleet.Member::speak);
    wait(1);

    assertThat(fleet.held()).isEmpty();
    assertThat(allAnswer("x", "2")).isTrue();
  }

  @Test
  void manyThatLeaveAtOnceConvictNobody() {
    fleet.manyLeft = true;
    for (int i = 0; i < 5; i++) {
      fleet.members.values().forEach(member -> member.mute = member.pushes + 1);
      fleet.change(fleet.host("x", "2"));
      fleet.members.values().forEach(member -> member.gone = true);
      fleet.members.values().forEach(member -> member.mute = Integer.MAX_VALUE);
      wait(4);
    }

    assertThat(fleet.held()).isEmpty();
    assertThat(fleet.member("e1").running).isNotNull();
  }

  @Test
  void whoIsBackWithWhatItRanConvictsNobody() {
    for (int i = 0; i < 3; i++) {
      fleet.member("e1").mute = fleet.member("e1").pushes + 1;
      fleet.change(fleet.host("x", "2"));
      fleet.member("e1").gone = true;
      fleet.settle();
      fleet.member("e1").survived = true;
      fleet.member("e1").gone = false;
      fleet.member("e1").speak();
      wait(4);
    }

    assertThat(fleet.held()).isEmpty();
    assertThat(allAnswer("x", "2")).isTrue();
  }
}
