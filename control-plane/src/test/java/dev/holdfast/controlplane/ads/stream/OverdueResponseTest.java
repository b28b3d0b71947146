// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import static dev.holdfast.controlplane.ads.TestResources.cluster;
import static dev.holdfast.controlplane.snapshot.ResourceType.CLUSTER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.ads.AdsHarness;
import dev.holdfast.controlplane.ads.FakeXdsStream;
import dev.holdfast.controlplane.ads.ReceivedResponse;
import dev.holdfast.controlplane.ads.wire.Protocol;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A response is overdue and the snapshot changes: the proxy may hold the old or the new version of
 * each resource in it.
 */
class OverdueResponseTest {
  private final AdsHarness ads = new AdsHarness();

  private ReceivedResponse fallsSilent(FakeXdsStream envoy) {
    ReceivedResponse unanswered = envoy.next();
    ads.advance(Duration.ofSeconds(21));
    assertThat(ads.observed).contains("silent envoy-1 Cluster");
    assertThat(envoy.isQuiet()).as("nothing new, nothing said").isTrue();
    return unanswered;
  }

  /** The change in the overdue response is undone. */
  private void isSentWhatItHadBefore(FakeXdsStream envoy) {
    ReceivedResponse unanswered = fallsSilent(envoy);

    ads.serve(cluster("a", "1"));

    envoy.ack(unanswered);
    assertThat(envoy.accept(CLUSTER).bodies().get("a")).isEqualTo(cluster("a", "1").body());
    assertThat(envoy.isQuiet()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aChangeThatIsUndoneIsSent(Protocol protocol) {
    ads.serve(cluster("a", "1"));
    FakeXdsStream envoy = ads.envoy(protocol).all(CLUSTER).acceptAll();

    ads.serve(cluster("a", "2"));

    isSentWhatItHadBefore(envoy);
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aRemovalThatIsUndoneIsSent(Protocol protocol) {
    ads.serve(cluster("a", "1"), cluster("b", "1"));
    FakeXdsStream envoy = ads.envoy(protocol).all(CLUSTER).acceptAll();

    ads.stop(CLUSTER, "a");

    isSentWhatItHadBefore(envoy);
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void anAdditionThatIsUndoneIsRemoved(Protocol protocol) {
    ads.serve(cluster("a", "1"));
    FakeXdsStream envoy = ads.envoy(protocol).all(CLUSTER).acceptAll();
    ads.serve(cluster("b", "1"));
    ReceivedResponse unanswered = fallsSilent(envoy);

    ads.stop(CLUSTER, "b");

    envoy.ack(unanswered);
    ReceivedResponse last = envoy.accept(CLUSTER);
    if (protocol == Protocol.DELTA) {
      assertThat(last.removed()).containsExactly("b");
    } else {
      assertThat(last.bodies()).containsOnlyKeys("a");
    }
    assertThat(envoy.isQuiet()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void overdueNamesAreRepeatedInTheNextResponse(Protocol protocol) {
    ads.serve(cluster("a", "1"), cluster("b", "1"));
    FakeXdsStream envoy = ads.envoy(protocol).all(CLUSTER).acceptAll();
    ads.serve(cluster("a", "2"));
    fallsSilent(envoy);
    ads.observed.clear();

    ads.serve(cluster("b", "2"));
    envoy.acceptAll();

    ads.serve(cluster("a", "1"));
    assertThat(envoy.accept(CLUSTER).bodies().get("a"))
        .as("the server knows that it has the second")
        .isEqualTo(cluster("a", "1").body());
    ads.serve(cluster("b", "1"));
    assertThat(envoy.accept(CLUSTER).bodies().get("b")).isEqualTo(cluster("b", "1").body());
    assertThat(envoy.isQuiet()).isTrue();
  }
}
