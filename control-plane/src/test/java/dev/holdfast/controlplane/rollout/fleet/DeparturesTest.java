// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.ManualTime;
import java.time.Duration;
import java.util.Set;
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

  @Test
  void manyThatLeaveAtOnceAreToldFromOneThatLeavesAlone() {
    departures.left("e1");
    assertThat(wereMany(Set.of())).isFalse();
    departures.left("e2");

    assertThat(wereMany(Set.of())).isTrue();
  }

  /** A cut connection ends no process. */
  @Test
  void whoIsBackWithWhatItRanDoesNotCount() {
    departures.left("e1");
    departures.left("e2");

    assertThat(wereMany(Set.of("e2"))).isFalse();
  }

  @Test
  void whoStartedAnewCountsAlsoIfItLosesItsConnectionLater() {
    departures.left("e1");
    departures.left("e2");
    departures.startedAnew("e2");

    assertThat(wereMany(Set.of("e2"))).isTrue();
  }

  /** Of a fleet of ten, without e1. */
  private boolean wereMany(Set<String> running) {
    return departures.wereMany(time.nanoTime(), Set.of("e1"), 9, running::contains);
  }
}
