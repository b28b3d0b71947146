// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Position;
import dev.holdfast.testkit.ManualTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** However much happens, and in whatever order it is told, little is kept. */
class ChangeTracesTest {
  private final ManualTime time = new ManualTime();
  private final List<TraceSpan> spans = new ArrayList<>();
  private final ChangeTraces traces = new ChangeTraces(time, new SplittableRandom(1)::nextLong);

  @Test
  void nothingIsFollowedWithoutASink() {
    ChangeTraces off =
        new ChangeTraces(
            time,
            () -> {
              throw new AssertionError("the simulation would take other turns");
            });

    off.changed(List.of(object("a", 1)), time.now());
    off.committed(List.of(object("a", 1)));
    off.shown(object("a", 1).key(), 1, "");

    assertThat(off.isOn()).isFalse();
  }

  @Test
  void theOldestChangesAreGivenUpForNewerOnes() {
    start();
    int all = ChangeTraces.MOST_CHANGES + 10;
    for (int i = 0; i < all; i++) {
      traces.changed(List.of(object("o" + i, 1)), time.now());
    }

    assertThat(spans.stream().filter(span -> span.name().equals("change"))).hasSize(9);
    assertThat(spans.stream().filter(span -> span.name().equals("change")))
        .allSatisfy(
            span -> assertThat(span.attributes()).containsEntry("holdfast.outcome", "open"));
  }

  @Test
  void whatIsToldOfOtherChangesOrTooLateIsNotKept() {
    start();
    ConfigObject object = object("a", 2);

    traces.committed(List.of(object));
    traces.durable(List.of(object));
    traces.held(object.key(), 2, 1, "Rejected", "no");
    traces.shown(object.key(), 2, "");
    traces.changed(List.of(object), time.now());
    traces.committed(List.of(object("a", 1)));
    traces.shown(object.key(), 1, "");

    assertThat(spans.stream().map(TraceSpan::name)).containsExactly("source");
  }

  @Test
  void aClockThatWasSetBackMakesNoSpanThatEndsBeforeItBegins() {
    start();
    ConfigObject object = object("a", 1);

    traces.changed(List.of(object), time.now().plusSeconds(60));
    traces.shown(object.key(), 1, "");

    assertThat(spans).allSatisfy(span -> assertThat(span.end()).isAfterOrEqualTo(span.start()));
    assertThat(spans).hasSize(3);
  }

  private void start() {
    traces.start(
        spans::add,
        e -> {
          throw e;
        });
  }

  private static ConfigObject object(String name, long generation) {
    return new ConfigObject(
        new ObjectKey("HTTPProxy", "default", name),
        "projectcontour.io/v1",
        "",
        generation,
        Instant.EPOCH,
        new TreeMap<>(),
        new TreeMap<>(),
        new Mapping(Map.of(), Position.of("f")));
  }
}
