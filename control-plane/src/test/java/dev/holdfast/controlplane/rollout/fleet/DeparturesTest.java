// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DeparturesTest {
  private final ManualTime time = new ManualTime();
  private final Departures departures = new Departures(time);

  @Test
  void aClientThatConnectedShortlyBeforeItWasShownSomethingWasPassing() {
    departures.clientConnected("app");
    time.advance(Duration.ofSeconds(9));
    long shown = time.nanoTime();
    time.advance(Duration.ofSeconds(30));
    departures.left("app");

    assertThat(departures.wasPassing("app", shown)).isTrue();
  }

  @Test
  void oneThatHadBeenThereForAWhileWasNot() {
    departures.clientConnected("app");
    time.advance(Duration.ofSeconds(11));
    departures.clientConnected("app"); // another stream
    long shown = time.nanoTime();
    departures.left("app");

    assertThat(departures.wasPassing("app", shown)).isFalse();
  }

  @Test
  void anEnvoyNeverIs() {
    long shown = time.nanoTime();
    departures.left("edge");

    assertThat(departures.wasPassing("edge", shown)).isFalse();
    assertThat(departures.wasPassing("nobody", shown)).isFalse();
  }

  @Test
  void theLastTimeCounts() {
    departures.clientConnected("app");
    departures.left("app");
    departures.clientConnected("app");
    time.advance(Duration.ofSeconds(60));
    long shown = time.nanoTime();
    departures.left("app");

    assertThat(departures.wasPassing("app", shown)).isFalse();
  }
}
