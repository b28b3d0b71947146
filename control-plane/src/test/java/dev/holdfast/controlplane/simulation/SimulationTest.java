// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** See docs/simulation.md. */
class SimulationTest {
  private static final int USUAL_RUNS = 200;

  @Test
  void itIsTrueWhateverAuthorsWrite() throws InterruptedException {
    run(new Setting(/* withApps= */ true, /* careless= */ true, /* deadly= */ false), share(30));
  }

  @Test
  void itIsTrueWithoutApplicationsThatHaveOurOwnClient() throws InterruptedException {
    run(new Setting(/* withApps= */ false, /* careless= */ true, /* deadly= */ false), share(15));
  }

  @Test
  void itIsTrueWhereOnlyProxiesFindMistakes() throws InterruptedException {
    run(new Setting(/* withApps= */ true, /* careless= */ false, /* deadly= */ false), share(20));
  }

  @Test
  @EnabledIfSystemProperty(named = "holdfast.simulation.deadly", matches = "true")
  void itIsTrueWhereProxiesDieOfPolicies() throws InterruptedException {
    run(new Setting(/* withApps= */ false, /* careless= */ true, /* deadly= */ true), share(10));
  }

  @Test
  @EnabledIfSystemProperty(named = "holdfast.simulation.lying", matches = "true")
  void itIsTrueWhereOneProxyOfEachClassLies() throws InterruptedException {
    run(
        new Setting(
            /* withApps= */ false, /* careless= */ false, /* deadly= */ false, /* lying= */ true),
        share(15));
  }

  /** A part of the runs that were asked for. */
  private static int share(int percent) {
    return Integer.getInteger(
        "holdfast.simulation.runs", Math.max(USUAL_RUNS, runs() * percent / 100));
  }

  private static void run(Setting setting, int runs) throws InterruptedException {
    Long one = Long.getLong("holdfast.simulation.seed");
    if (one != null) {
      new Simulation(one, setting).run();
      return;
    }
    long first = Long.getLong("holdfast.simulation.first", 1L);
    long before = System.nanoTime();
    SortedMap<Long, Throwable> failures =
        Campaign.run(first, runs, setting, Runtime.getRuntime().availableProcessors());
    System.out.printf(
        "simulation%s: %,d runs from seed %d, %.1f ms each%n",
        setting, runs, first, (System.nanoTime() - before) / 1e6 / runs);
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
    Setting setting = new Setting(/* withApps= */ true, /* careless= */ true, /* deadly= */ true);
    assertThat(new Simulation(42, setting).run().sum())
        .isEqualTo(new Simulation(42, setting).run().sum());
  }
}
