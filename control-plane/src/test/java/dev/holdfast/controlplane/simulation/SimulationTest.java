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

  /** For how many runs with applications there is one without: those find less. */
  private static final int SHARE = 5;

  @Test
  void itIsTrueWhateverAuthorsWrite() throws InterruptedException {
    run(/* withApps= */ true, /* careless= */ true, runs());
  }

  @Test
  void itIsTrueWithoutApplicationsThatHaveOurOwnClient() throws InterruptedException {
    run(/* withApps= */ false, /* careless= */ true, share());
  }

  @Test
  void itIsTrueWhereOnlyProxiesFindMistakes() throws InterruptedException {
    run(/* withApps= */ true, /* careless= */ false, share());
  }

  private static int share() {
    return Integer.getInteger("holdfast.simulation.runs", Math.max(USUAL_RUNS, runs() / SHARE));
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
      failures.forEach((seed, e) -> reasons.add(String.valueOf(e.getMessage()).split("\n", -1)[0]));
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
