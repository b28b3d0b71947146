// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.base.Env;
import dev.holdfast.config.Generations;
import dev.holdfast.config.HistoryEntry;
import dev.holdfast.config.HistoryQuery;
import dev.holdfast.config.ObjectChanges;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.StateChange;
import dev.holdfast.config.StateStore;
import dev.holdfast.config.StoredState;
import dev.holdfast.controlplane.report.ProblemReport;
import dev.holdfast.controlplane.report.StateProblem;
import dev.holdfast.controlplane.translate.TranslationOptions;
import dev.holdfast.testkit.ManualExecutor;
import dev.holdfast.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A state that cannot be written is told, with the time since when, until it can. */
class StateProblemTest {
  private static final ObjectKey KEY = new ObjectKey("Service", "default", "a");

  private final ManualTime time = new ManualTime();
  private final ManualExecutor executor = new ManualExecutor();
  private final FailingStore store = new FailingStore();
  private final ControlPlane plane =
      new ControlPlane(
          new Env(executor, time, new SplittableRandom(1)),
          executor,
          new ControlPlaneOptions("test", TranslationOptions.defaults()),
          store,
          statuses -> {});

  @Test
  void whatCannotBeWrittenIsToldUntilItIsWritten() {
    Instant begin = time.now();
    store.failure = "no space left";
    report(); // there is something to write: that the server has started
    time.advance(Duration.ofMinutes(3), executor::runAll);

    assertThat(plane.ready()).as("proxies are served all the same").isTrue();
    assertThat(plane.stateProblem())
        .isEqualTo(new StateProblem("java.lang.IllegalStateException: no space left", begin));
    assertThat(problems())
        .extracting(problem -> problem.reason() + " " + problem.message() + " " + problem.since())
        .containsExactly(
            "StateNotWritable edits wait, and proxies keep what they run:"
                + " java.lang.IllegalStateException: no space left "
                + begin);

    store.failure = "";
    time.advance(Duration.ofSeconds(2), executor::runAll);
    assertThat(plane.stateProblem()).isNull();
    assertThat(problems()).isEmpty();
    assertThat(store.history(HistoryQuery.newest(1))).as("nothing is lost").hasSize(1);
  }

  @Test
  void editsThatCannotBeNumberedWaitToo() {
    report();
    assign();
    assertThat(plane.stateProblem()).isNull();
    Instant begin = time.now();
    store.failure = "no space left";
    assertThatThrownBy(this::assign).hasMessage("no space left");
    time.advance(Duration.ofMinutes(3), executor::runAll);
    assertThatThrownBy(this::assign).hasMessage("no space left");

    assertThat(plane.stateProblem()).isEqualTo(new StateProblem("no space left", begin));
    assertThat(problems()).hasSize(1);

    store.failure = "";
    assign();
    assertThat(plane.stateProblem()).isNull();
  }

  private void report() {
    plane.onChange(
        ObjectChanges.between(new TreeMap<>(), new TreeMap<>(), List.of())
            .with(new TreeMap<>(), /* isComplete= */ true));
    executor.runAll();
  }

  private void assign() {
    plane.generations().assign(Map.of(KEY, "digest"), time.now());
  }

  private List<ProblemReport> problems() {
    var problems = plane.problems().toCompletableFuture();
    executor.runAll();
    return problems.join();
  }

  private static final class FailingStore implements StateStore {
    private final StateStore store = StateStore.inMemory();
    private String failure = "";

    private void check() {
      if (!failure.isEmpty()) {
        throw new IllegalStateException(failure);
      }
    }

    @Override
    public Generations generations() {
      return new Generations() {
        @Override
        public Map<ObjectKey, Generation> assign(
            Map<ObjectKey, String> digests, Map<ObjectKey, Long> counted, Instant now) {
          check();
          return store.generations().assign(digests, counted, now);
        }

        @Override
        public Map<ObjectKey, Generation> known(Set<ObjectKey> keys) {
          return store.generations().known(keys);
        }
      };
    }

    @Override
    public StoredState load() {
      return store.load();
    }

    @Override
    public void commit(StateChange change) {
      check();
      store.commit(change);
    }

    @Override
    public List<HistoryEntry> history(HistoryQuery query) {
      return store.history(query);
    }

    @Override
    public void close() {
      store.close();
    }
  }
}
