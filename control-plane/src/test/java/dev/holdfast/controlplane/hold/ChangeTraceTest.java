// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.trace.TraceSpan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** One edit is one trace, from the moment it is read to the status that its author sees. */
class ChangeTraceTest {
  private final World world = new World().up();
  private final List<TraceSpan> spans = new ArrayList<>();

  private void start() {
    world.join("e1", /* delta= */ true);
    world.join("e2", /* delta= */ true);
    world.write(Objects.host("a", 201) + Objects.host("b", 201)).settle();
    world.trace(spans::add);
  }

  @Test
  void whatIsThereWhenTheServerStartsIsNoEdit() {
    start();
    world.settle().advance(Duration.ofMinutes(1));

    assertThat(spans).isEmpty();
  }

  @Test
  void anEditIsFollowedToItsStatus() {
    start();

    world.write(Objects.host("a", 202)).settle();

    assertThat(names())
        .startsWith("source", "translate")
        .contains("trial", "verdict", "commit", "status")
        .endsWith("change");
    TraceSpan change = one("change");
    assertThat(change.attributes())
        .isEqualTo(
            new TreeMap<>(
                Map.of(
                    "holdfast.object", "HTTPProxy/default/a",
                    "holdfast.generation", "2",
                    "holdfast.outcome", "in force")));
    assertThat(change.error()).isEmpty();
    assertThat(one("trial").attributes()).containsEntry("holdfast.outcome", "accepted");
    assertThat(attribute("verdict", "holdfast.node")).containsExactly("e1", "e2");
    assertThat(attribute("verdict", "holdfast.outcome")).containsExactly("accepted");
    assertOneTrace();
  }

  @Test
  void aRefusedEditIsFollowedToTheHold() {
    start();

    world.write(Objects.bad("a", 202)).settle();

    TraceSpan change = one("change");
    assertThat(change.attributes())
        .containsEntry("holdfast.outcome", "held")
        .containsEntry("holdfast.reason", "Rejected")
        .containsEntry("holdfast.served_generation", "1")
        .containsEntry("holdfast.incident", "1");
    assertThat(change.error()).contains("there is something wrong with a route");
    assertThat(one("search").attributes()).containsEntry("holdfast.incident", "1");
    assertThat(attribute("verdict", "holdfast.outcome")).contains("rejected");
    assertThat(names()).doesNotContain("commit");
    assertOneTrace();
  }

  @Test
  void anEditThatIsNotValidIsHeldWithoutATrial() {
    start();

    world.write(Objects.forward("a", "nowhere")).settle();

    assertThat(names()).contains("source", "translate", "status", "change");
    assertThat(names()).doesNotContain("trial", "verdict", "commit");
    assertThat(one("change").attributes()).containsEntry("holdfast.reason", "Invalid");
  }

  @Test
  void twoObjectsInOneEditAreTwoTraces() {
    start();

    world.write(Objects.host("a", 202) + Objects.bad("b", 202)).settle();

    assertThat(attribute("change", "holdfast.object"))
        .containsExactly("HTTPProxy/default/a", "HTTPProxy/default/b");
    assertThat(attribute("change", "holdfast.outcome")).containsExactly("held", "in force");
    assertThat(spans.stream().map(TraceSpan::traceId).distinct()).hasSize(2);
  }

  @Test
  void aNewerGenerationEndsTheTraceOfTheOlderOne() {
    start();

    world.write(Objects.host("a", 202));
    world.write(Objects.host("a", 203)).settle();

    assertThat(attribute("change", "holdfast.outcome")).containsExactly("in force", "superseded");
    assertThat(attribute("change", "holdfast.generation")).containsExactly("2", "3");
  }

  @Test
  void aChangeThatGetsNoStatusEndsWithALaterOne() {
    world.write(Objects.host("a", 201)).settle();
    world.trace(spans::add);

    world.write(Objects.host("a", 202)).settle().advance(Duration.ofMinutes(11));
    world.write(Objects.host("b", 202)).settle();

    assertThat(attribute("change", "holdfast.outcome")).containsExactly("open");
  }

  @Test
  void whoeverTakesTheSpansCannotStopAnEdit() {
    start();
    world.trace(
        span -> {
          throw new IllegalStateException("full");
        });

    world.write(Objects.host("a", 202)).settle();
    world.write(Objects.host("a", 203)).settle();

    assertThat(world.said(Objects.proxy("a"))).isEqualTo("True/Programmed 3/3");
    assertThat(world.internalErrors().count()).isEqualTo(1);
    assertThat(world.internalErrors().message()).contains("handing on a span");
  }

  private List<String> names() {
    return spans.stream().map(TraceSpan::name).toList();
  }

  private TraceSpan one(String name) {
    List<TraceSpan> found = spans.stream().filter(span -> span.name().equals(name)).toList();
    assertThat(found).as(names().toString()).hasSize(1);
    return found.get(0);
  }

  private Set<String> attribute(String span, String name) {
    Set<String> values = new TreeSet<>();
    for (TraceSpan each : spans) {
      if (each.name().equals(span)) {
        values.add(each.attributes().getOrDefault(name, ""));
      }
    }
    return values;
  }

  /** Every span but the whole is in another one of the same trace, and within its time. */
  private void assertOneTrace() {
    Map<String, TraceSpan> byId = new TreeMap<>();
    spans.forEach(span -> byId.put(span.spanId(), span));
    assertThat(byId).hasSameSizeAs(spans);
    for (TraceSpan span : spans) {
      assertThat(span.traceId()).matches("[0-9a-f]{32}").isEqualTo(one("change").traceId());
      assertThat(span.spanId()).matches("[0-9a-f]{16}");
      assertThat(span.end()).isAfterOrEqualTo(span.start());
      if (!span.name().equals("change")) {
        assertThat(byId).containsKey(span.parentId());
      }
    }
    assertThat(one("change").parentId()).isEmpty();
  }
}
