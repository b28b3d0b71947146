// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** See docs/simulation.md. */
class SimulationTest {
  private static final int USUAL_RUNS = 50;

  @Test
  void whatMustBeTrueIsTrueAfterEveryEvent() {
    Long one = Long.getLong("holdfast.simulation.seed");
    if (one != null) {
      new Simulation(one).run();
      return;
    }
    long first = Long.getLong("holdfast.simulation.first", 1L);
    int runs = Integer.getInteger("holdfast.simulation.runs", USUAL_RUNS);
    for (long seed = first; seed < first + runs; seed++) {
      new Simulation(seed).run();
    }
  }

  @Test
  void aSeedIsAlwaysTheSameRun() {
    assertThat(new Simulation(42).run().sum()).isEqualTo(new Simulation(42).run().sum());
  }
}
