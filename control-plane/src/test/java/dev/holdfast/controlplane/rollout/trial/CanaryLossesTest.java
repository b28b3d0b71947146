// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.testkit.ManualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CanaryLossesTest {
  private static final int OBJECTS = 5_000;

  private final List<StoredLoss> stored = new ArrayList<>();
  private final List<StoredLoss.Key> forgotten = new ArrayList<>();
  private final CanaryLosses losses =
      new CanaryLosses(
          new ManualTime(),
          new CanaryLosses.Recorder() {
            @Override
            public void canaryLost(StoredLoss loss) {
              stored.add(loss);
            }

            @Override
            public void lossForgotten(StoredLoss.Key loss) {
              forgotten.add(loss);
            }

            @Override
            public void whenDurable(Runnable task) {
              task.run();
            }
          },
          () -> {});

  /** Counts how often somebody walks through the objects that a canary was shown. */
  private static final class CountedMap extends TreeMap<ObjectKey, Long> {
    private static final long serialVersionUID = 1;
    private int walks;

    @Override
    public Set<Map.Entry<ObjectKey, Long>> entrySet() {
      walks++;
      return super.entrySet();
    }
  }

  private static ObjectKey key(int number) {
    return new ObjectKey("HTTPProxy", "default", "p" + number);
  }

  private static CountedMap everything() {
    CountedMap shown = new CountedMap();
    for (int i = 0; i < OBJECTS; i++) {
      shown.put(key(i), 1L);
    }
    return shown;
  }

  private static CanaryLosses.Loss loss(String node, long trial, SortedMap<ObjectKey, Long> shown) {
    return new CanaryLosses.Loss(
        node,
        "class",
        /* isSilent= */ false,
        shown,
        List.of(node),
        /* cold= */ false,
        trial,
        /* began= */ 0,
        /* at= */ 1,
        /* isDeath= */ false,
        /* isAlone= */ false,
        /* isRestored= */ false);
  }

  @Test
  void aDecisionDoesNotLookIntoLossesThatHaveNotChanged() {
    CountedMap shown = everything();
    long trial = losses.newTrial();
    for (int i = 0; i < 50; i++) {
      losses.add(loss("node-" + i, trial, shown));
    }
    assertThat(stored).hasSize(50);

    int walks = shown.walks;
    for (int decision = 0; decision < 100; decision++) {
      losses.excuse(loss -> false);
      losses.confirm(loss -> false);
      losses.alone(loss -> false);
      losses.accepted(Set.of(key(OBJECTS + decision)), Set.of("class"));
      losses.explained(List.of(), Set.of(key(1)));
    }

    assertThat(shown.walks).isEqualTo(walks);
    assertThat(stored).hasSize(50);
    assertThat(forgotten).isEmpty();
  }

  @Test
  void whatHasChangedIsStoredOnce() {
    long trial = losses.newTrial();
    losses.add(loss("a", trial, everything()));
    losses.add(loss("b", trial, everything()));
    stored.clear();

    losses.confirm(loss -> loss.node().equals("a"));
    losses.confirm(loss -> loss.node().equals("a"));
    assertThat(stored).singleElement().satisfies(loss -> assertThat(loss.isDeath()).isTrue());

    stored.clear();
    losses.explained(losses.all(), Set.of(key(7)));
    assertThat(stored).hasSize(2);
    assertThat(stored).allSatisfy(loss -> assertThat(loss.shown()).containsOnlyKeys(key(7)));

    losses.accepted(Set.of(key(7)), Set.of("class"));
    assertThat(losses.all()).isEmpty();
    assertThat(forgotten)
        .containsExactlyInAnyOrder(
            new StoredLoss.Key("class", "a", trial), new StoredLoss.Key("class", "b", trial));
  }
}
