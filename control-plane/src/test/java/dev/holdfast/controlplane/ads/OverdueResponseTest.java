// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import static dev.holdfast.controlplane.ads.TestResources.cluster;
import static dev.holdfast.controlplane.snapshot.ResourceType.CLUSTER;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A proxy does not answer for so long that nobody waits for it, and then something changes: whether
 * it has the old or the new, nobody knows.
 */
class OverdueResponseTest {
  private final AdsHarness ads = new AdsHarness();

  private ReceivedResponse fallsSilent(FakeXdsStream envoy) {
    ReceivedResponse unanswered = envoy.next();
    ads.advance(Duration.ofSeconds(21));
    assertThat(ads.heard).contains("silent envoy-1 Cluster");
    assertThat(envoy.isQuiet()).as("nothing new, nothing said").isTrue();
    return unanswered;
  }

  /** It has not answered on a change of a cluster, which is taken back. */
  private void isSentWhatItHadBefore(FakeXdsStream envoy) {
    ReceivedResponse unanswered = fallsSilent(envoy);

    ads.serve(cluster("a", "1"));

    envoy.ack(unanswered);
    assertThat(envoy.accept(CLUSTER).bodies().get("a")).isEqualTo(cluster("a", "1").body());
    assertThat(envoy.isQuiet()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void whatIsAsItWasBeforeIsSentAllTheSame(Protocol protocol) {
    ads.serve(cluster("a", "1"));
    FakeXdsStream envoy = ads.envoy(protocol).all(CLUSTER).acceptAll();

    ads.serve(cluster("a", "2"));

    isSentWhatItHadBefore(envoy);
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void whatWentAndIsBackIsSentAllTheSame(Protocol protocol) {
    ads.serve(cluster("a", "1"), cluster("b", "1"));
    FakeXdsStream envoy = ads.envoy(protocol).all(CLUSTER).acceptAll();

    ads.stop(CLUSTER, "a");

    isSentWhatItHadBefore(envoy);
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void whatCameAndIsGoneIsTakenAwayAllTheSame(Protocol protocol) {
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
  void whatWasNotAnsweredIsSaidAnewWithTheNextNews(Protocol protocol) {
    ads.serve(cluster("a", "1"), cluster("b", "1"));
    FakeXdsStream envoy = ads.envoy(protocol).all(CLUSTER).acceptAll();
    ads.serve(cluster("a", "2"));
    fallsSilent(envoy);
    ads.heard.clear();

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
