// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;

/** See docs/simulation.md. */
class SimulationTest {
  private static final int USUAL_RUNS = 200;

  @Test
  void itIsTrueWhateverAuthorsWrite() throws InterruptedException {
    run(/* withApps= */ true, /* careless= */ true, share(30));
  }

  @Test
  void itIsTrueWithoutApplicationsThatHaveOurOwnClient() throws InterruptedException {
    run(/* withApps= */ false, /* careless= */ true, share(15));
  }

  @Test
  void itIsTrueWhereOnlyProxiesFindMistakes() throws InterruptedException {
    run(/* withApps= */ true, /* careless= */ false, share(20));
  }

  /** A part of the runs that were asked for. */
  private static int share(int percent) {
    return Integer.getInteger(
        "holdfast.simulation.runs", Math.max(USUAL_RUNS, runs() * percent / 100));
  }

  private static void run(boolean withApps, boolean careless, int runs)
      throws InterruptedException {
    Long one = Long.getLong("holdfast.simulation.seed");
    if (one != null) {
      new Simulation(one, withApps, careless).run();
      return;
    }
    long first = Long.getLong("holdfast.simulation.first", 1L);
    long before = System.nanoTime();
    SortedMap<Long, Throwable> failures =
        Campaign.run(first, runs, withApps, careless, Runtime.getRuntime().availableProcessors());
    System.out.printf(
        "simulation%s%s: %,d runs from seed %d, %.1f ms each%n",
        withApps ? " with applications" : "",
        careless ? "" : " and careful authors",
        runs,
        first,
        (System.nanoTime() - before) / 1e6 / runs);
    if (!failures.isEmpty()) {
      List<String> reasons = new ArrayList<>();
      failures.forEach(
          (seed, e) -> reasons.add(String.valueOf(e.getMessage()).lines().findFirst().orElse("")));
      throw new AssertionError(
          failures.size() + " seeds fail:\n" + String.join("\n", reasons),
          failures.get(failures.firstKey()));
    }
  }

  /** As many as are asked for; the build may ask for more than are usual. */
  private static int runs() {
    String wanted = System.getenv("HOLDFAST_SIMULATION_RUNS");
    return Integer.getInteger(
        "holdfast.simulation.runs", wanted == null ? USUAL_RUNS : Integer.parseInt(wanted));
  }

  @Test
  void aSeedIsAlwaysTheSameRun() {
    assertThat(new Simulation(42, /* withApps= */ true, /* careless= */ true).run().sum())
        .isEqualTo(new Simulation(42, /* withApps= */ true, /* careless= */ true).run().sum());
  }
}
