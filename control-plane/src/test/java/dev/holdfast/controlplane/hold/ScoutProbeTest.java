// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.report.ProxyCounts;
import dev.holdfast.controlplane.rollout.fleet.ScoutProbe;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.testkit.envoy.FakeEnvoy;
import dev.holdfast.testkit.envoy.Validator;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** After a scout has accepted a trial, requests through it tell whether it serves what is new. */
class ScoutProbeTest {
  /** What a host answers with that fails its probe. */
  private static final int FAILING = 597;

  private final World world = new World();
  private final List<ScoutProbe.Request> asked = new ArrayList<>();
  private boolean isSlow;

  /** Whether the prober ends the scout after a finding, and has yet to do it. */
  private boolean endsScout;

  private boolean isToEnd;
  private int timesBusy;

  /** What the prober says of objects in any case. */
  private final SortedMap<String, ScoutProbe.Weight> remarks = new TreeMap<>();

  private FakeEnvoy scout;

  @BeforeEach
  void start() {
    world.scoutProbe = this::probe;
    world.up();
    scout = world.scout("s1", true, Validator.on(RouteConfiguration.class, routes -> null));
    for (String node : List.of("e1", "e2")) {
      world.join(
          node,
          true,
          Validator.on(
              RouteConfiguration.class,
              routes -> {
                if (routes.toString().contains(Integer.toString(FAILING))) {
                  throw new AssertionError(node + " was sent what fails");
                }
                return null;
              }));
    }
    world.write(Objects.host("a", 201) + Objects.host("b", 201) + Objects.host("c", 201)).settle();
    world.advance(Duration.ofSeconds(1));
    asked.clear();
  }

  @AfterEach
  void nothingBroke() {
    assertThat(world.internalErrors().count()).isZero();
    world.close();
  }

  private CompletionStage<ScoutProbe.Result> probe(ScoutProbe.Request request) {
    asked.add(request);
    List<ScoutProbe.Finding> findings = new ArrayList<>();
    Set<ObjectKey> about = new TreeSet<>();
    for (Resource resource : request.changed()) {
      resource.contributions().forEach((object, part) -> about.add(object));
      remarks.forEach(
          (name, weight) ->
              findings.add(
                  new ScoutProbe.Finding(
                      Objects.proxy(name),
                      resource.id(),
                      "spec.routes",
                      "something of " + name,
                      weight)));
    }
    if (isSlow || isToEnd) { // a thread of it hangs, and answers nothing else
      return new CompletableFuture<>();
    }
    if (timesBusy > 0) {
      timesBusy--;
      return CompletableFuture.completedFuture(new ScoutProbe.NotAsked("it is busy"));
    }
    for (Resource resource : request.changed()) {
      String routes = resource.body().toStringUtf8();
      if (resource.id().type() == ResourceType.ROUTES
          && scout.route(Objects.fqdn("b"), "/").status() == FAILING) {
        assertThat(routes).contains(Objects.fqdn("b"));
        findings.add(
            new ScoutProbe.Finding(
                Objects.proxy("b"),
                resource.id(),
                "spec.routes[0]",
                "GET http://b.example.com/: reset",
                ScoutProbe.Weight.HOLDS));
      }
    }
    isToEnd = endsScout && !findings.isEmpty();
    return CompletableFuture.completedFuture(new ScoutProbe.Asked(findings, isToEnd, about));
  }

  @Test
  void aFindingHoldsItsObjectAndNoOther() {
    world.write(Objects.host("a", 202) + Objects.host("b", FAILING) + Objects.host("c", 202));
    world.settle();
    world.advance(Duration.ofSeconds(3));

    assertThat(world.held()).containsExactly("b@2/1 ProbeFailed");
    assertThat(world.condition(Objects.proxy("b"), "Programmed"))
        .contains(
            "a scout accepted it, and does not serve it: spec.routes[0]: GET http://b.example.com/: reset");
    assertThat(world.report(Objects.proxy("b")).proxies())
        .as("no proxy that counts has been asked")
        .isEqualTo(new ProxyCounts(2, 0, 0, 0));
    for (String node : List.of("e1", "e2")) {
      assertThat(world.envoy(node).route(Objects.fqdn("a"), "/").status()).isEqualTo(202);
      assertThat(world.envoy(node).route(Objects.fqdn("b"), "/").status()).isEqualTo(201);
      assertThat(world.envoy(node).route(Objects.fqdn("c"), "/").status()).isEqualTo(202);
    }
    world.write(Objects.host("b", 203)).settle();
    world.advance(Duration.ofSeconds(3));
    assertThat(world.envoy("e1").route(Objects.fqdn("b"), "/").status()).isEqualTo(203);
    assertThat(world.held()).isEmpty();
  }

  /** Its author should know, and nobody has to wait for it. */
  @Test
  void whatHoldsNothingIsToldWithTheObject() {
    remarks.put("b", ScoutProbe.Weight.WARNS);
    remarks.put("c", ScoutProbe.Weight.NOT_PROBED);
    world.write(Objects.host("a", 202) + Objects.host("b", 202) + Objects.host("c", 202)).settle();
    world.advance(Duration.ofSeconds(3));

    for (String name : List.of("a", "b", "c")) {
      assertThat(world.said(Objects.proxy(name))).isEqualTo("True/Programmed 2/2");
    }
    assertThat(world.report(Objects.proxy("a")).warnings()).isEmpty();
    assertThat(world.report(Objects.proxy("b")).warnings())
        .singleElement()
        .satisfies(
            text ->
                assertThat(text).matches(".*:[0-9]+:[0-9]+: spec.routes: scout: something of b"));
    assertThat(world.report(Objects.proxy("b")).notProbed()).isEmpty();
    assertThat(world.report(Objects.proxy("c")).warnings()).isEmpty();
    assertThat(world.report(Objects.proxy("c")).notProbed())
        .singleElement()
        .satisfies(
            text ->
                assertThat(text).matches(".*:[0-9]+:[0-9]+: spec.routes: scout: something of c"));
    assertThat(warningsOfScouts("b")).isEqualTo(1);

    world.kill();
    world.up();
    world.advance(Duration.ofSeconds(3));
    assertThat(world.report(Objects.proxy("b")).warnings()).hasSize(1);

    remarks.clear();
    world.write(Objects.host("b", 203) + Objects.host("c", 203)).settle();
    world.advance(Duration.ofSeconds(3));
    assertThat(world.report(Objects.proxy("b")).warnings()).isEmpty();
    assertThat(world.report(Objects.proxy("c")).notProbed()).isEmpty();
    assertThat(warningsOfScouts("b")).isZero();
  }

  private long warningsOfScouts(String name) {
    return world.report(Objects.proxy(name)).conditions().stream()
        .flatMap(condition -> condition.details().stream())
        .filter(detail -> detail.type().equals("ScoutWarning"))
        .count();
  }

  /**
   * A request that hangs a thread of a scout does not end the connection, so that whoever sends
   * requests ends the scout: nobody else is to blame for that, and the search goes on when it is
   * back, and nowhere else.
   */
  @ParameterizedTest
  @ValueSource(ints = {100, 2_000})
  void theEndOfAScoutAfterAFindingIsNobodysFault(int millisAway) {
    endsScout = true;
    world.write(Objects.host("a", 202) + Objects.host("b", FAILING) + Objects.host("c", 202));
    for (int i = 0; i < 400 && !world.held().equals(List.of("b@2/1 ProbeFailed")); i++) {
      world.advance(Duration.ofMillis(50));
      if (isToEnd) {
        isToEnd = false;
        world.advance(Duration.ofMillis(300));
        world.part("s1");
        world.advance(Duration.ofMillis(millisAway));
        scout = world.scout("s1", true, Validator.on(RouteConfiguration.class, routes -> null));
      }
    }
    world.advance(Duration.ofSeconds(5));

    assertThat(world.held()).containsExactly("b@2/1 ProbeFailed");
    for (String node : List.of("e1", "e2")) {
      assertThat(world.envoy(node).route(Objects.fqdn("a"), "/").status()).isEqualTo(202);
      assertThat(world.envoy(node).route(Objects.fqdn("b"), "/").status()).isEqualTo(201);
      assertThat(world.envoy(node).route(Objects.fqdn("c"), "/").status()).isEqualTo(202);
    }
  }

  /** One that does not come back is replaced by a canary, as if it had gone by itself. */
  @Test
  void aScoutThatDoesNotComeBackKeepsNothingForLong() {
    endsScout = true;
    world.write(Objects.host("a", 202) + Objects.host("b", FAILING));
    world.await("something is found", () -> isToEnd);
    endsScout = false;
    world.part("s1");
    world.write(Objects.host("b", 203));
    Duration took =
        world.await(
            "it is served", () -> world.envoy("e2").route(Objects.fqdn("a"), "/").status() == 202);
    assertThat(took).isLessThan(Duration.ofSeconds(17));
    world.advance(Duration.ofSeconds(3));
    assertThat(world.envoy("e2").route(Objects.fqdn("b"), "/").status()).isEqualTo(203);
    assertThat(world.held()).isEmpty();
  }

  @Test
  void itIsAskedForWhatChanged() {
    world.write(Objects.host("a", 202)).settle();
    assertThat(asked).hasSize(1);
    assertThat(asked.get(0).node()).isEqualTo("s1");
    assertThat(asked.get(0).changed())
        .extracting(resource -> resource.id().toString())
        .containsExactly("RouteConfiguration/ingress_http");
  }

  /** A prober that does not answer delays a change, and does not make the scout look silent. */
  @Test
  void whoeverDoesNotAnswerIsNotWaitedForForLong() {
    isSlow = true;
    world.write(Objects.host("a", 202));
    Duration took =
        world.await(
            "it is served", () -> world.envoy("e2").route(Objects.fqdn("a"), "/").status() == 202);
    assertThat(took).isBetween(Duration.ofSeconds(15), Duration.ofSeconds(16));
    assertThat(world.held()).isEmpty();
  }

  /** A busy machine is no reason to let something through that was never asked. */
  @Test
  void whatCouldNotBeAskedIsAskedAgain() {
    timesBusy = 40; // longer than a scout may be silent, and than nothing may happen
    world.write(Objects.host("a", 202) + Objects.host("b", FAILING)).settle();
    world.advance(Duration.ofSeconds(3));
    assertThat(world.held()).isEmpty();
    assertThat(world.envoy("e1").route(Objects.fqdn("a"), "/").status()).isEqualTo(201);

    world.advance(Duration.ofSeconds(9));
    assertThat(world.held()).containsExactly("b@2/1 ProbeFailed");
    assertThat(world.envoy("e1").route(Objects.fqdn("a"), "/").status()).isEqualTo(202);
    assertThat(world.envoy("e1").route(Objects.fqdn("b"), "/").status()).isEqualTo(201);
  }

  /** Nobody waits for ever, either: then the change goes on, as it would without a scout. */
  @Test
  void whatCanNeverBeAskedGoesOn() {
    timesBusy = Integer.MAX_VALUE;
    world.write(Objects.host("a", 202));
    Duration took =
        world.await(
            "it is served", () -> world.envoy("e2").route(Objects.fqdn("a"), "/").status() == 202);
    assertThat(took).isBetween(Duration.ofSeconds(15), Duration.ofSeconds(16));
    assertThat(world.held()).isEmpty();
  }

  /** What dies when it is asked for something is told as what died. */
  @Test
  void aDeathUnderAProbeIsADeath() {
    boolean[] dying = {false};
    world.watch =
        () -> {
          if (!asked.isEmpty() && scout.route(Objects.fqdn("b"), "/").status() == FAILING) {
            asked.clear();
            dying[0] = true;
            scout.restart();
          }
        };
    isSlow = true;
    world.write(Objects.host("b", FAILING));
    world.await("it is held", () -> world.held().equals(List.of("b@2/1 ProxyDied")));
    assertThat(dying[0]).isTrue();
    assertThat(world.envoy("e1").route(Objects.fqdn("b"), "/").status()).isEqualTo(201);
  }
}
