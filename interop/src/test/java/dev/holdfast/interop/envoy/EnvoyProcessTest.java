// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.envoy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.testkit.FakeAdsServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The process around a real Envoy. */
class EnvoyProcessTest {
  @Test
  void endsWithTheJvmThatStartedIt() {
    try (FakeAdsServer ads = FakeAdsServer.start();
        EnvoyProcess envoy = EnvoyProcess.start(EnvoyBootstrap.delta(ads.port()))) {
      assertThat(envoy.isAlive()).isTrue();

      envoy.abandon();

      Awaitility.await()
          .dontCatchUncaughtExceptions()
          .atMost(EnvoyProcess.PATIENCE)
          .until(() -> !envoy.isAlive());
    }
  }

  @Test
  void canBeFrozen() {
    try (Bench bench = Bench.start(Bench.Kind.REAL_DELTA)) {
      EnvoyProcess envoy = ((Proxy.Real) bench.proxy).envoy();
      bench.boot();

      envoy.freeze();
      Script.Push unread = bench.script.push(bench.clusterOne());
      assertThat(unread.isAnswered()).isFalse();

      envoy.thaw();
      unread.acked();
    }
  }

  @Test
  void saysWhyItDidNotStart() {
    EnvoyBinary.find();

    assertThatThrownBy(() -> EnvoyProcess.start("admin: {nonsense: 1}"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("Envoy did not start")
        .hasMessageContaining("nonsense");
  }

  @Test
  void keepsItsLog() {
    try (FakeAdsServer ads = FakeAdsServer.start();
        EnvoyProcess envoy = EnvoyProcess.start(EnvoyBootstrap.sotw(ads.port()))) {
      assertThat(envoy.logTail()).contains("envoy.log:").contains("[info]");
      assertThat(envoy.log()).isNotEmpty();
    }
  }
}
