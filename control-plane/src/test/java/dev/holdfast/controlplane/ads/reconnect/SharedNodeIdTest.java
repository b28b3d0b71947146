// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.reconnect;

import static dev.holdfast.controlplane.ads.TestResources.listener;
import static dev.holdfast.controlplane.snapshot.ResourceType.CLUSTER;
import static dev.holdfast.controlplane.snapshot.ResourceType.LISTENER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.ads.AdsHarness;
import dev.holdfast.controlplane.ads.FakeXdsStream;
import dev.holdfast.controlplane.ads.wire.Protocol;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Processes that use one node id: each is a proxy of its own, whoever has the id by right. */
class SharedNodeIdTest {
  private static final String ELSEWHERE = "10.0.0.2:7";
  private static final String SAME_HOST = "127.0.0.1:2";

  private final AdsHarness ads = new AdsHarness();

  private FakeXdsStream cold(Protocol protocol, String address) {
    return ads.envoy(protocol).from(address).all(LISTENER);
  }

  /** A process that names what an earlier stream accepted. */
  private FakeXdsStream warm(Protocol protocol, String address, FakeXdsStream earlier) {
    return ads.envoy(protocol)
        .from(address)
        .resume(
            LISTENER, earlier.acceptedVersion(LISTENER), Map.of("l", listener("l", "1").version()));
  }

  private List<String> names() {
    return ads.server.proxies().stream().map(proxy -> proxy.node().id()).toList();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aSecondProcessIsAnotherProxy(Protocol protocol) {
    ads.serve(listener("l", "1"));
    FakeXdsStream first = cold(protocol, "127.0.0.1:1");
    first.accept(LISTENER);

    FakeXdsStream thief = cold(protocol, SAME_HOST);
    thief.nack(thief.next(), "no");

    assertThat(first.ended).isNull();
    assertThat(names()).containsExactly("envoy-1", "envoy-1#2");
    assertThat(ads.observed).contains("shared envoy-1#2 with envoy-1");
    assertThat(ads.server.sharedNodeIds()).isOne();
    ads.serve(listener("l", "2"));
    first.accept(LISTENER);
    ads.serve(listener("l", "1"));
    assertThat(first.accept(LISTENER).bodies())
        .as("what the other one rejected")
        .containsOnlyKeys("l");
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void whatASecondProcessRejectedIsSentToAFirstOneThatStartsAgain(Protocol protocol) {
    ads.serve(listener("l", "1"));
    FakeXdsStream first = cold(protocol, "127.0.0.1:1");
    first.accept(LISTENER);
    FakeXdsStream thief = cold(protocol, SAME_HOST);
    thief.nack(thief.next(), "no");

    first.close();
    FakeXdsStream again = cold(protocol, "127.0.0.1:3");

    assertThat(again.accept(LISTENER).bodies()).containsOnlyKeys("l");
    assertThat(names()).containsExactly("envoy-1", "envoy-1#2");
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aProcessThatHoldsNothingInheritsNoRejections(Protocol protocol) {
    ads.serve(listener("l", "1"));
    FakeXdsStream before = cold(protocol, "127.0.0.1:1");
    before.nack(before.next(), "no");
    before.close();

    FakeXdsStream again = cold(protocol, SAME_HOST).all(CLUSTER);
    while (again.peek().type() != LISTENER || again.peek().bodies().isEmpty()) {
      again.ack(again.next());
    }

    assertThat(again.accept(LISTENER).bodies()).containsOnlyKeys("l");
    assertThat(ads.observed).contains("forgot envoy-1 [l]");
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aProcessThatIsBackBeforeItsConnectionEndedIsTheSameProxy(Protocol protocol) {
    ads.serve(listener("l", "1"));
    FakeXdsStream first = cold(protocol, "127.0.0.1:1");
    first.accept(LISTENER);
    ads.serve(listener("l", "2"));
    first.nack(first.next(), "no");

    FakeXdsStream back = warm(protocol, SAME_HOST, first);
    assertThat(names()).containsExactly("envoy-1");
    first.close();

    while (!back.isQuiet()) {
      assertThat(back.accept(LISTENER).bodies().get("l")).isEqualTo(listener("l", "1").body());
    }
    assertThat(names()).containsExactly("envoy-1");
    assertThat(ads.server.sharedNodeIds()).isZero();
  }

  /** Both accepted the same as the first thing on their streams. */
  @Test
  void aVersionTellsTwoProcessesApart() {
    ads.serve(listener("l", "1"));
    FakeXdsStream first = cold(Protocol.SOTW, "127.0.0.1:1");
    first.accept(LISTENER);
    FakeXdsStream second = cold(Protocol.SOTW, "127.0.0.1:5");
    second.accept(LISTENER);
    assertThat(second.acceptedVersion(LISTENER)).isNotEqualTo(first.acceptedVersion(LISTENER));
    ads.serve(listener("l", "2"));
    first.nack(first.next(), "no");
    String version = second.acceptedVersion(LISTENER);
    second.close();

    FakeXdsStream back =
        ads.envoy(Protocol.SOTW).from("127.0.0.1:6").resume(LISTENER, version, Map.of());

    assertThat(names()).containsExactly("envoy-1", "envoy-1#2");
    assertThat(back.accept(LISTENER).bodies().get("l")).isEqualTo(listener("l", "2").body());
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aProcessDoesNotChangeItsProtocol(Protocol protocol) {
    ads.serve(listener("l", "1"));
    FakeXdsStream first = cold(protocol, "127.0.0.1:1");
    first.accept(LISTENER);

    warm(protocol == Protocol.SOTW ? Protocol.DELTA : Protocol.SOTW, SAME_HOST, first);

    assertThat(names()).containsExactly("envoy-1", "envoy-1#2");
  }

  /** The second process took the place of the first, which never spoke again, and is back now. */
  @Test
  void whoNamesWhatAnEndedStreamHeldIsNotTheOneThatTookItsPlace() {
    ads.serve(listener("l", "1"));
    FakeXdsStream first = cold(Protocol.SOTW, "127.0.0.1:1");
    first.accept(LISTENER);
    FakeXdsStream thief = warm(Protocol.SOTW, SAME_HOST, first);
    ads.serve(listener("l", "2"));
    thief.accept(LISTENER);
    ads.serve(listener("l", "3"));
    thief.nack(thief.next(), "no");
    first.close();

    FakeXdsStream back = warm(Protocol.SOTW, "127.0.0.1:7", first);

    assertThat(names()).containsExactly("envoy-1", "envoy-1#2");
    assertThat(back.accept(LISTENER).bodies().get("l")).isEqualTo(listener("l", "3").body());
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void ofTwoThatAreGoneTheLastOneIsBack(Protocol protocol) {
    ads.serve(listener("l", "1"));
    FakeXdsStream first = cold(protocol, "127.0.0.1:1");
    first.accept(LISTENER);
    FakeXdsStream second = cold(protocol, SAME_HOST);
    second.accept(LISTENER);
    first.close();
    ads.serve(listener("l", "2"));
    second.nack(second.next(), "no");
    second.close();

    FakeXdsStream back = warm(protocol, "127.0.0.1:8", second);

    assertThat(names()).containsExactly("envoy-1#2");
    while (!back.isQuiet()) {
      assertThat(back.accept(LISTENER).bodies().get("l")).isEqualTo(listener("l", "1").body());
    }
  }

  /** The thief has the name of the first process, until that one starts again. */
  @Test
  void aProcessRemembersWhatItRejectedWhenAnotherOneHasStartedUnderItsName() {
    ads.serve(listener("l", "1"));
    FakeXdsStream thief = cold(Protocol.SOTW, SAME_HOST);
    thief.accept(LISTENER);
    ads.serve(listener("l", "2"));
    thief.nack(thief.next(), "no");
    thief.close();
    FakeXdsStream honest = started(Protocol.SOTW, "127.0.0.1:3");
    assertThat(honest.running(LISTENER).get("l")).isEqualTo(listener("l", "2"));

    FakeXdsStream back = warm(Protocol.SOTW, "127.0.0.1:4", thief);

    assertThat(names()).containsExactly("envoy-1", "envoy-1#2");
    while (!back.isQuiet()) {
      assertThat(back.accept(LISTENER).bodies().get("l")).isEqualTo(listener("l", "1").body());
    }
  }

  /** A process that was away gets its name back, but nothing that belongs to whoever had it. */
  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aProcessInheritsNothingFromOneThatHadItsNameWhileItWasAway(Protocol protocol) {
    ads.serve(listener("l", "1"));
    FakeXdsStream first = cold(protocol, "127.0.0.1:1");
    first.accept(LISTENER);
    first.close();
    Protocol other = protocol == Protocol.SOTW ? Protocol.DELTA : Protocol.SOTW;
    FakeXdsStream thief = started(other, SAME_HOST);
    ads.serve(listener("l", "2"));
    thief.nack(thief.next(), "no");
    thief.close();

    FakeXdsStream back = warm(protocol, "127.0.0.1:4", first);

    assertThat(names()).containsExactly("envoy-1");
    assertThat(back.accept(LISTENER).bodies().get("l")).isEqualTo(listener("l", "2").body());
  }

  /** A process that holds neither clusters nor listeners, and accepts all that it is sent. */
  private FakeXdsStream started(Protocol protocol, String address) {
    FakeXdsStream stream = ads.envoy(protocol).from(address).all(LISTENER).all(CLUSTER);
    while (!stream.isQuiet()) {
      stream.ack(stream.next());
    }
    return stream;
  }

  /** After a restart nobody could tell who of them it was. */
  @ParameterizedTest
  @EnumSource(Protocol.class)
  void whatProcessesRejectThatShareANodeIdIsNotRemembered(Protocol protocol) {
    ads.serve(listener("l", "1"));
    FakeXdsStream first = cold(protocol, "127.0.0.1:1");
    first.nack(first.next(), "no");
    assertThat(ads.server.sharesNodeId("envoy-1")).isFalse();

    FakeXdsStream second = cold(protocol, SAME_HOST);
    second.accept(LISTENER);

    assertThat(ads.observed).contains("indistinct envoy-1 1");
    assertThat(ads.server.sharesNodeId("envoy-1")).isTrue();
    assertThat(ads.server.sharesNodeId("envoy-1#2")).isTrue();
    second.close();
    assertThat(ads.server.sharesNodeId("envoy-1")).as("lately").isTrue();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void whoPretendsToBeItIsFoundOutWhenItSpeaks(Protocol protocol) {
    ads.serve(listener("l", "1"));
    FakeXdsStream first = cold(protocol, "127.0.0.1:1");
    first.accept(LISTENER);
    FakeXdsStream thief = warm(protocol, SAME_HOST, first);
    assertThat(names()).containsExactly("envoy-1");
    ads.serve(listener("l", "2"));
    thief.nack(thief.next(), "no");

    first.accept(LISTENER);

    assertThat(first.ended).isNull();
    assertThat(thief.ended).isNotNull();
    assertThat(ads.observed).contains("forgot envoy-1 [l]");
    assertThat(first.running(LISTENER).get("l")).isEqualTo(listener("l", "2"));
    warm(protocol, "127.0.0.1:4", first);
    assertThat(names()).containsExactly("envoy-1", "envoy-1#2");
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aProcessThatConnectsAgainIsNotTakenForTheOneThatHasItsNodeIdMeanwhile(Protocol protocol) {
    ads.serve(listener("l", "1"));
    FakeXdsStream first = cold(protocol, "127.0.0.1:1");
    first.accept(LISTENER);
    cold(protocol, SAME_HOST).accept(LISTENER);
    first.close();

    warm(protocol, "127.0.0.1:3", first);

    assertThat(names()).containsExactly("envoy-1", "envoy-1#2");
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aProcessOnAnotherHostIsAnotherProxyWhateverItHolds(Protocol protocol) {
    ads.serve(listener("l", "1"));
    FakeXdsStream first = cold(protocol, "127.0.0.1:1");
    first.accept(LISTENER);

    FakeXdsStream other = warm(protocol, ELSEWHERE, first);

    assertThat(names()).containsExactly("envoy-1", "envoy-1#2");
    assertThat(other.isQuiet()).as("what it holds is recognised").isTrue();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aProxyKeepsItsNameWhenItConnectsAgain(Protocol protocol) {
    ads.serve(listener("l", "1"));
    FakeXdsStream first = cold(protocol, "127.0.0.1:1");
    first.accept(LISTENER);
    ads.serve(listener("l", "2"));
    first.nack(first.next(), "no");
    FakeXdsStream second = cold(protocol, SAME_HOST);
    second.accept(LISTENER);
    second.close();

    ads.envoy(protocol)
        .from("127.0.0.1:3")
        .resume(
            LISTENER, second.acceptedVersion(LISTENER), Map.of("l", listener("l", "2").version()));

    assertThat(names()).containsExactly("envoy-1", "envoy-1#2");
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aCanaryThatStartsAgainIsServedTheBaseline(Protocol protocol) {
    ads.serve(listener("l", "1"));
    cold(protocol, "127.0.0.1:1").accept(LISTENER);
    Snapshot baseline = ads.snapshot;
    ads.serve(listener("l", "2"));
    Snapshot trial = ads.snapshot;
    ads.run(() -> ads.server.show(baseline, Set.of("envoy-1"), trial));

    FakeXdsStream second = cold(protocol, SAME_HOST);

    assertThat(second.accept(LISTENER).bodies().get("l")).isEqualTo(listener("l", "1").body());
    ads.run(() -> ads.server.show(baseline, Set.of("envoy-1"), trial));
    assertThat(second.isQuiet()).as("it may have died of the trial").isTrue();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void nobodyTakesANameByCallingItselfSo(Protocol protocol) {
    ads.serve(listener("l", "1"));
    cold(protocol, "127.0.0.1:1").accept(LISTENER);
    cold(protocol, SAME_HOST).accept(LISTENER);

    ads.envoy(protocol, "envoy-1#2").from(ELSEWHERE).all(LISTENER).accept(LISTENER);

    assertThat(names()).containsExactly("envoy-1", "envoy-1#2", "envoy-1#2#2");
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aGrpcClientMayHaveAConnectionForEachTarget(Protocol protocol) {
    ads.serve(listener("l", "1"));
    ads.grpc(protocol).from("127.0.0.1:1").subscribe(LISTENER, "l").accept(LISTENER);
    ads.grpc(protocol).from("127.0.0.1:2").subscribe(LISTENER, "l").accept(LISTENER);
    ads.grpc(protocol).from(ELSEWHERE).subscribe(LISTENER, "l").accept(LISTENER);

    assertThat(names()).containsExactly("grpc-1", "grpc-1#2");
  }
}
