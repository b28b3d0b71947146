// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How many streams may be open, and how fast they may be opened. */
class StreamQuotaTest {
  private final ManualTime time = new ManualTime();
  private final AdsLimits limits =
      AdsLimits.of(256 << 20)
          .with("streams", 100)
          .with("streamsPerPeer", 40)
          .with("streamsPerSecond", 5);
  private final StreamQuota quota = new StreamQuota(limits, time);

  private int open(String peer, int times) {
    int opened = 0;
    for (int i = 0; i < times; i++) {
      opened += quota.open(peer) == null ? 1 : 0;
    }
    return opened;
  }

  @Test
  void onePeerHasAShareAndAllHaveALimit() {
    assertThat(open("a", 1000)).isEqualTo(40);
    assertThat(open("b", 1000)).isEqualTo(40);
    assertThat(open("c", 1000)).isEqualTo(20);
    assertThat(quota.open("d")).isNotNull();
    quota.close("a");
    assertThat(quota.open("d")).isNull();
  }

  @Test
  void streamsThatComeAndGoHaveARate() {
    for (int i = 0; i < 50; i++) {
      assertThat(quota.open("a")).isNull();
      quota.close("a");
    }
    Refusal refusal = quota.open("a");
    assertThat(refusal).isNotNull();
    assertThat(refusal.limit()).isEqualTo("streamsPerSecond");
    assertThat(quota.open("b")).as("others are not affected").isNull();
    time.advance(Duration.ofSeconds(1));
    assertThat(open("a", 1000)).isEqualTo(5);
  }

  @Test
  void peersThatAreGoneAreForgotten() {
    for (int i = 0; i < 100_000; i++) {
      assertThat(quota.open("peer-" + i)).isNull();
      quota.close("peer-" + i);
      time.advance(Duration.ofSeconds(1));
    }
    assertThat(quota.peers()).isLessThan(5_000);
  }
}
