// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import static dev.holdfast.controlplane.snapshot.ResourceType.CLUSTER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.ads.AdsHarness;
import dev.holdfast.controlplane.ads.FakeXdsStream;
import dev.holdfast.controlplane.ads.TestResources;
import dev.holdfast.controlplane.ads.wire.Protocol;
import dev.holdfast.controlplane.snapshot.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who is sent something first. */
class SendQueueTest {
  private static final int MANY = 500;

  private final AdsHarness ads = new AdsHarness();

  private void serveMany() {
    ads.serve(
        IntStream.range(0, MANY)
            .mapToObj(i -> TestResources.cluster("c" + i, "1"))
            .toArray(Resource[]::new));
  }

  /** Proxies that start at the same moment. */
  private List<FakeXdsStream> starting(int count) {
    List<FakeXdsStream> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(ads.envoy(Protocol.DELTA, "new-" + i));
    }
    ads.pause();
    all.forEach(each -> each.all(CLUSTER));
    return all;
  }

  private static long served(List<FakeXdsStream> proxies) {
    return proxies.stream().filter(proxy -> !proxy.isQuiet()).count();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void anEditDoesNotWaitForManyProxiesThatStart(Protocol protocol) {
    serveMany();
    FakeXdsStream old = ads.envoy(protocol, "old").all(CLUSTER).acceptAll();
    List<FakeXdsStream> starting = starting(10);
    ads.turn();
    assertThat(served(starting)).as("one per turn").isEqualTo(1);

    ads.serve(TestResources.cluster("c0", "changed"));
    ads.turn();

    assertThat(old.isQuiet()).as("the one that runs everything else").isFalse();
    assertThat(served(starting)).isEqualTo(2);
    ads.resume();
    assertThat(served(starting)).isEqualTo(10);
  }

  @Test
  void thoseThatNeedLittleAreServedAtOnce() {
    ads.serve(TestResources.cluster("c0", "1"));
    List<FakeXdsStream> starting = starting(10);
    ads.turn();
    assertThat(served(starting)).isEqualTo(10);
  }

  @Test
  void thoseThatHaveLeftTakeNobodysTurn() {
    serveMany();
    List<FakeXdsStream> starting = starting(10);
    ads.turn();
    starting.subList(1, 9).forEach(FakeXdsStream::close);
    ads.turn();
    assertThat(served(starting)).isEqualTo(2);
    assertThat(starting.get(9).next().bodies()).hasSize(MANY);
  }
}
