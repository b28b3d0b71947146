// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.simulation;

import dev.holdfast.xds.client.transport.AdsProtocol;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Servers that keep the protocol and send nothing that they may take for known, with and without
 * {@code fail_on_data_errors}; changes, also back to what was; streams that end, channels that
 * fail.
 *
 * <p>A failure names its seed; {@code -Dtest.args=-Dholdfast.seed=SEED} runs that one alone and
 * {@code -Dtest.args=-Dholdfast.runs=N} more or fewer of them.
 */
class AtRestTest {
  private static final int RUNS = Integer.getInteger("holdfast.runs", 5_000);

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName(
      "H93 at rest the client has what the server serves, and watchers, dump and metrics say so")
  void h93AtRest(AdsProtocol protocol) {
    Long only = Long.getLong("holdfast.seed");
    if (only != null) {
      new AtRest(protocol, only).run();
      return;
    }
    for (long seed = 0; seed < RUNS; seed++) {
      new AtRest(protocol, seed).run();
    }
  }
}
