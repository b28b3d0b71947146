// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.CacheEntry;
import dev.holdfast.xds.client.CacheEntry.Failure;
import dev.holdfast.xds.client.conformance.A88Table.Case;
import dev.holdfast.xds.client.fixture.ClientHarness.Watched;
import dev.holdfast.xds.client.fixture.Request;
import dev.holdfast.xds.client.fixture.TestType;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every row of gRFC A88's table, in every circumstance it speaks for: both protocols, both kinds of
 * type, all combinations of the server features that matter, and the switch on and off.
 */
class A88TableTest {
  @Test
  @DisplayName("A88 the table says exactly one thing of every circumstance")
  void theTableSaysOneThingOfEveryCircumstance() {
    for (boolean on : List.of(true, false)) {
      Set<String> seen = new HashSet<>();
      for (Case which : A88Table.cases(on)) {
        assertThat(seen.add(which.toString())).as(which.toString()).isTrue();
      }
      // protocols, types, feature sets, errors, cached or not
      assertThat(seen).hasSize(2 * A88Table.TYPES.size() * 8 * A88Error.values().length * 2);
    }
  }

  static Stream<Case> all() {
    return Stream.of(true, false).flatMap(on -> A88Table.cases(on).stream());
  }

  /** A timer fires once. */
  static Stream<Case> repeatable() {
    return all().filter(which -> which.row().error() != A88Error.TIMER);
  }

  static Stream<Case> cached() {
    return all().filter(which -> which.row().cached());
  }

  @ParameterizedTest(name = "A88 {0}")
  @MethodSource("all")
  @DisplayName("A88 watchers, cache, wire and a new watcher's replay, row by row")
  void a88RowByRow(Case which) {
    try (A88Scene scene = new A88Scene(which)) {
      Watched first = scene.start();

      which.row().error().happen(scene);

      expectTold(which, first);
      expectEntry(which, scene);
      expectAnswer(which, scene);
      Watched second = scene.watch();
      expectReplay(which, second);
      first.nothing();
    }
  }

  @ParameterizedTest(name = "A88 {0}")
  @MethodSource("repeatable")
  @DisplayName("A88 the same error is told once, however often it happens")
  void a88TheSameErrorIsToldOnce(Case which) {
    try (A88Scene scene = new A88Scene(which)) {
      Watched first = scene.start();
      which.row().error().happen(scene);
      expectTold(which, first);

      scene.reconnect();
      which.row().error().happen(scene);

      first.nothing();
      assertThat(scene.entry().label()).isEqualTo(which.row().state());
    }
  }

  @ParameterizedTest(name = "A88 {0}")
  @MethodSource("all")
  @DisplayName("A88 a new resource ends any error")
  void a88NewResourceEndsTheError(Case which) {
    try (A88Scene scene = new A88Scene(which)) {
      Watched first = scene.start();
      which.row().error().happen(scene);
      expectTold(which, first);
      Watched second = scene.watch();
      expectReplay(which, second);
      scene.reconnect();

      scene.respond(response -> response.resource(A88Scene.NAME, "two"));

      for (Watched watched : List.of(first, second)) {
        assertThat(watched.resource()).isEqualTo("two");
        watched.nothing();
      }
      expectWell(scene, "two");
    }
  }

  @ParameterizedTest(name = "A88 {0}")
  @MethodSource("cached")
  @DisplayName("A88 the old resource, sent again byte for byte, ends any error")
  void a88IdenticalResourceEndsTheError(Case which) {
    try (A88Scene scene = new A88Scene(which)) {
      Watched first = scene.start();
      which.row().error().happen(scene);
      expectTold(which, first);
      Watched second = scene.watch();
      expectReplay(which, second);
      scene.reconnect();

      scene.respond(response -> response.resource(A88Scene.NAME, "one"));

      for (Watched watched : List.of(first, second)) {
        switch (which.row().told().kind()) {
          case CHANGED -> assertThat(watched.resource()).isEqualTo("one");
          case AMBIENT -> assertThat(watched.ambient()).isEqualTo(Status.OK);
          case NOTHING -> {}
        }
        watched.nothing();
      }
      expectWell(scene, "one");
    }
  }

  private static void expectTold(Case which, Watched watched) {
    switch (which.row().told().kind()) {
      case CHANGED -> expectText(which, watched.error());
      case AMBIENT -> expectText(which, watched.ambient());
      case NOTHING -> {}
    }
    watched.nothing();
  }

  private static void expectReplay(Case which, Watched watched) {
    if (which.row().keeps()) {
      assertThat(watched.resource()).isEqualTo("one");
    }
    expectTold(which, watched);
  }

  private static void expectText(Case which, Status status) {
    assertThat(status.getCode()).isEqualTo(which.row().told().code());
    assertThat(status.getDescription())
        .startsWith(which.type().shortName() + " resource " + A88Scene.NAME + ": ")
        .contains(readsDeletion(which) ? A88Error.DELETION.text() : which.row().error().text())
        .endsWith(" (node ID:node-1)")
        .containsOnlyOnce("node ID");
  }

  /** Where the server's errors are not read, all there is to see of them is an absence. */
  private static boolean readsDeletion(Case which) {
    return which.row().state().startsWith("does_not_exist")
        && which.row().error() != A88Error.TIMER;
  }

  private static void expectEntry(Case which, A88Scene scene) {
    CacheEntry<?> entry = scene.entry();
    assertThat(entry.label()).isEqualTo(which.row().state());
    if (which.row().keeps()) {
      CacheEntry.Cached<?> kept = Objects.requireNonNull(entry.resource());
      assertThat(kept.value()).isEqualTo("one");
      assertThat(kept.version()).isEqualTo("1");
      assertThat(kept.serialized()).isEqualTo(TestType.bytes(A88Scene.NAME, "one"));
    } else {
      assertThat(entry.resource()).isNull();
    }
    boolean clean =
        which.row().told().kind() == A88Row.Kind.NOTHING || which.row().error().isConnectivity();
    if (clean) {
      assertThat(entry.failure()).isNull();
      return;
    }
    Failure failure = Objects.requireNonNull(entry.failure());
    expectText(which, failure.status());
    if (which.row().error().isResponse()) {
      assertThat(failure.version()).isEqualTo(scene.version());
      assertThat(failure.time()).isEqualTo(scene.harness.time.now());
    } else {
      assertThat(failure.version()).isEmpty();
      assertThat(failure.time()).isNull();
    }
  }

  /** Only what is invalid is refused. */
  private static void expectAnswer(Case which, A88Scene scene) {
    if (!which.row().error().isResponse()) {
      return;
    }
    Request answer = scene.harness.stream().request();
    assertThat(answer.nonce()).isEqualTo("nonce-" + scene.version());
    if (which.row().error() == A88Error.NACK) {
      assertThat(answer.errorText())
          .contains("resource index 0: " + A88Scene.NAME + ": value: too long");
    } else {
      assertThat(answer.isNack()).isFalse();
    }
    expectResubscription(which, scene);
  }

  /**
   * Where the server would take a resource for held that is not, or might take the subscription for
   * over, it is asked for the resource anew: by taking the name away, with a NACK if there is one,
   * and by naming it again.
   */
  private static void expectResubscription(Case which, A88Scene scene) {
    boolean deleted = which.row().state().startsWith("does_not_exist");
    boolean dropped = which.row().cached() && !which.row().keeps();
    boolean delta = which.protocol() == AdsProtocol.DELTA;
    boolean removed = delta && deleted && which.row().cached();
    if (removed || (dropped && (delta || !deleted))) {
      if (which.row().error() != A88Error.NACK) {
        assertThat(scene.harness.stream().request().names()).isEmpty();
      }
      Request again = scene.harness.stream().request();
      assertThat(again.names()).containsExactly(A88Scene.NAME);
      assertThat(again.isNack()).isFalse();
    }
    assertThat(scene.harness.stream().unseenRequests()).isZero();
  }

  private static void expectWell(A88Scene scene, String value) {
    CacheEntry<?> entry = scene.entry();
    assertThat(entry.label()).isEqualTo("acked");
    assertThat(entry.failure()).isNull();
    CacheEntry.Cached<?> cached = Objects.requireNonNull(entry.resource());
    assertThat(cached.value()).isEqualTo(value);
    assertThat(cached.version()).isEqualTo(scene.version());
    assertThat(cached.updated()).isEqualTo(scene.harness.time.now());
    Watched third = scene.watch();
    assertThat(third.resource()).isEqualTo(value);
    third.nothing();
    assertThat(scene.harness.observer.uncaught()).isEmpty();
  }
}
