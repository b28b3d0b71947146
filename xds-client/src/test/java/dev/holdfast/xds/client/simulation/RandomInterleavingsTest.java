// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.simulation;

import dev.holdfast.xds.client.transport.AdsProtocol;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random worlds: watches, cancels, responses of every kind, errors, failures and time in any order.
 * After every step watchers, dump and metrics agree; at the end everything heals and nothing is
 * left over.
 *
 * <p>A failure names its seed; {@code -Dtest.args=-Dholdfast.seed=SEED} runs that one alone and
 * {@code -Dtest.args=-Dholdfast.runs=N} more or fewer of them.
 */
class RandomInterleavingsTest {
  private static final int RUNS = Integer.getInteger("holdfast.runs", 5_000);

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("C90 random interleavings keep watchers, dump and metrics in agreement")
  void c90RandomInterleavings(AdsProtocol protocol) {
    Long only = Long.getLong("holdfast.seed");
    if (only != null) {
      new Simulation(protocol, only).run();
      return;
    }
    for (long seed = 0; seed < RUNS; seed++) {
      new Simulation(protocol, seed).run();
    }
  }
}
