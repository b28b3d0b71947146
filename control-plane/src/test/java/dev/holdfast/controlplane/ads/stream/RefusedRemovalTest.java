// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import static dev.holdfast.controlplane.ads.TestResources.cluster;
import static dev.holdfast.controlplane.ads.TestResources.listener;
import static dev.holdfast.controlplane.snapshot.ResourceType.CLUSTER;
import static dev.holdfast.controlplane.snapshot.ResourceType.LISTENER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.ads.AdsHarness;
import dev.holdfast.controlplane.ads.AdsReports;
import dev.holdfast.controlplane.ads.FakeXdsStream;
import dev.holdfast.controlplane.ads.ReceivedResponse;
import dev.holdfast.controlplane.ads.wire.Protocol;
import dev.holdfast.controlplane.report.ProxyReport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An Envoy with a validator refuses to give up clusters: it keeps them, and nothing else waits. */
class RefusedRemovalTest {
  private static final String TOO_FEW =
      "CDS update attempts to reduce the number of clusters below configured minimum.";

  private final AdsHarness ads = new AdsHarness();

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aRefusedRemovalIsNotSentAgainAndEverythingElseIs(Protocol protocol) {
    ads.serve(cluster("a", "1"), cluster("b", "1"));
    FakeXdsStream envoy = ads.envoy(protocol).all(CLUSTER).all(LISTENER).acceptAll();

    ads.stop(CLUSTER, "b");
    envoy.nack(envoy.next(), TOO_FEW);
    ads.advance(Duration.ofMinutes(10));
    assertThat(envoy.isQuiet()).isTrue();
    assertThat(ads.observed).contains("kept envoy-1 Cluster [b]: " + TOO_FEW);

    ads.serve(cluster("a", "2"), listener("l", "1"));
    ReceivedResponse change = envoy.next();
    assertThat(change.bodies()).containsKey("a");
    assertThat(change.removed()).isEmpty();
    if (protocol == Protocol.SOTW) {
      assertThat(change.bodies()).as("it is not removed by the way").containsKey("b");
    }
    envoy.ack(change).acceptAll();
    assertThat(envoy.running(CLUSTER).get("a")).isEqualTo(cluster("a", "2"));
    assertThat(envoy.running(LISTENER).contains("l")).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void anotherRemovalIsSentAlone(Protocol protocol) {
    ads.serve(cluster("a", "1"), cluster("b", "1"), cluster("c", "1"));
    FakeXdsStream envoy = ads.envoy(protocol).all(CLUSTER).acceptAll();
    ads.stop(CLUSTER, "b");
    envoy.nack(envoy.next(), TOO_FEW);

    ads.stop(CLUSTER, "c");
    ReceivedResponse removal = envoy.next();
    if (protocol == Protocol.SOTW) {
      assertThat(removal.bodies()).containsOnlyKeys("a", "b");
    } else {
      assertThat(removal.removed()).containsExactly("c");
    }
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void theRemovalIsTriedAgainOnceTheProxyHoldsMore(Protocol protocol) {
    ads.serve(cluster("a", "1"), cluster("b", "1"));
    FakeXdsStream envoy = ads.envoy(protocol).all(CLUSTER).acceptAll();
    ads.stop(CLUSTER, "b");
    envoy.nack(envoy.next(), TOO_FEW);

    ads.serve(cluster("a", "2"));
    envoy.accept(CLUSTER);
    assertThat(envoy.isQuiet()).as("a change of another cluster is no reason").isTrue();
    ads.serve(cluster("c", "1"));
    envoy.accept(CLUSTER);
    envoy.accept(CLUSTER);
    assertThat(envoy.running(CLUSTER).contains("b")).isFalse();
    assertThat(envoy.isQuiet()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aNameThatIsServedAndRemovedOnceMoreIsAnotherRemoval(Protocol protocol) {
    ads.serve(cluster("a", "1"), cluster("b", "1"));
    FakeXdsStream envoy = ads.envoy(protocol).all(CLUSTER).acceptAll();
    ads.stop(CLUSTER, "b");
    envoy.nack(envoy.next(), TOO_FEW);

    ads.serve(cluster("b", "2"));
    envoy.accept(CLUSTER);
    ads.stop(CLUSTER, "b");
    assertThat(envoy.isQuiet()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aRemovalThatSharesAResponseWithAChangeIsToldApart(Protocol protocol) {
    ads.serve(cluster("a", "1"), cluster("b", "1"));
    FakeXdsStream envoy = ads.envoy(protocol).all(CLUSTER).acceptAll();
    ads.observed.clear();
    envoy.ready = false;
    ads.stop(CLUSTER, "b");
    ads.serve(cluster("a", "2"));
    envoy.becomeReady();
    int refused = 0;
    while (!envoy.isQuiet()) {
      ReceivedResponse reply = envoy.next();
      boolean keepsB =
          protocol == Protocol.SOTW ? reply.bodies().containsKey("b") : reply.removed().isEmpty();
      if (keepsB) {
        envoy.ack(reply);
      } else {
        refused++;
        envoy.nack(reply, TOO_FEW);
      }
    }

    assertThat(refused).isBetween(1, 2);
    assertThat(envoy.running(CLUSTER).get("a")).isEqualTo(cluster("a", "2"));
    assertThat(envoy.running(CLUSTER).contains("b")).isTrue();
    assertThat(envoy.isQuiet()).isTrue();
    assertThat(ads.observed)
        .as("nobody's change is blamed")
        .noneMatch(line -> line.startsWith("rejected") && line.contains("[a]"));
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void anEnvoyThatReconnectsIsNotAskedAgain(Protocol protocol) {
    ads.serve(cluster("a", "1"), cluster("b", "1"));
    FakeXdsStream envoy = ads.envoy(protocol).all(CLUSTER).acceptAll();
    String version = envoy.acceptedVersion(CLUSTER);
    ads.stop(CLUSTER, "b");
    envoy.nack(envoy.next(), TOO_FEW);
    envoy.close();

    FakeXdsStream again =
        ads.envoy(protocol)
            .resume(
                CLUSTER,
                protocol == Protocol.SOTW ? version : "",
                protocol == Protocol.SOTW
                    ? Map.of()
                    : Map.of("a", cluster("a", "1").version(), "b", cluster("b", "1").version()));
    ads.advance(Duration.ofMinutes(1));
    assertThat(again.isQuiet()).isTrue();
    ads.serve(cluster("a", "2"));
    ReceivedResponse change = again.next();
    assertThat(change.removed()).isEmpty();
    if (protocol == Protocol.SOTW) {
      assertThat(change.bodies()).containsOnlyKeys("a", "b");
    }
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void theReportSaysWhatIsKeptAndWhy(Protocol protocol) {
    ads.serve(cluster("a", "1"), cluster("b", "1"));
    FakeXdsStream envoy = ads.envoy(protocol).all(CLUSTER).acceptAll();
    ads.stop(CLUSTER, "b");
    envoy.nack(envoy.next(), TOO_FEW);

    ProxyReport.TypeReport type = report();
    assertThat(type.refusedRemovals())
        .containsExactly(new ProxyReport.RemovalReport("b", TOO_FEW, ads.time.now()));
    assertThat(type.lastError()).isNotNull();
    assertThat(type.lastError().resources()).containsExactly("b");
  }

  private ProxyReport.TypeReport report() {
    List<ProxyReport> proxies =
        new AdsReports(ads.server, text -> text, node -> null, node -> false, node -> "").proxies();
    return proxies.get(0).streams().get(0).types().get(0);
  }
}
