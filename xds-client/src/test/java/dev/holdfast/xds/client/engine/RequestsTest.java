// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import static dev.holdfast.xds.client.fixture.TestType.EDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import com.google.rpc.Status;
import dev.holdfast.base.Env;
import dev.holdfast.testkit.ManualExecutor;
import dev.holdfast.testkit.ManualTime;
import dev.holdfast.xds.client.CacheEntry;
import dev.holdfast.xds.client.CacheEntry.Cached;
import dev.holdfast.xds.client.CacheEntry.Failure;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.XdsClientObserver;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.FakeServers;
import dev.holdfast.xds.client.fixture.TestType;
import dev.holdfast.xds.client.fixture.TestWatcher;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The wording of single requests. */
class RequestsTest {
  private static final Node NODE = Node.newBuilder().setId("node-1").build();
  private static final Status ERROR = Status.newBuilder().setCode(3).setMessage("no").build();

  private final ServerConfig server = ServerConfig.insecure("one:1");
  private final EngineContext context =
      new EngineContext(
          ClientHarness.config(AdsProtocol.SOTW).build(),
          new FakeServers(),
          new Env(new ManualExecutor(), new ManualTime(), RandomGenerator.getDefault()),
          XdsClientObserver.none());
  private final Authority authority =
      new Authority(
          Authority.NONE,
          List.of(server),
          /* fallbackOnReachabilityOnly= */ false,
          s -> new Connection(s, context),
          context);
  private final ResourceTimers timers =
      new ResourceTimers(context, Duration.ofSeconds(15), subscription -> true);
  private final TypeState<String> type =
      new TypeState<>(EDS, ClientHarness.behaviour().nackBackoff(), RandomGenerator.getDefault());

  private WatcherSlot<String> watch(String name) {
    Entry<String> entry = authority.entry(EDS, name);
    WatcherSlot<String> slot = new WatcherSlot<>(new TestWatcher(name), Runnable::run, context);
    entry.add(slot);
    type.subscribe(entry);
    return slot;
  }

  private void unwatch(String name, WatcherSlot<String> slot) {
    Entry<String> entry = authority.entry(EDS, name);
    entry.remove(slot);
    type.unwatched(entry, /* tellServerSoon= */ true);
  }

  private Message build(AdsProtocol protocol, @Nullable Node node) {
    boolean firstOfType = !type.mentioned;
    return Requests.build(
        protocol, type, type.handOver(timers, context.nanoTime()), node, firstOfType, server);
  }

  private void answer(String nonce, String version) {
    type.answers.add(
        new Answers.Answer(nonce, version, ERROR), /* repeated= */ false, context.nanoTime());
  }

  @Test
  void theFirstSotwRequestHasNodeAndNames() {
    watch("b");
    watch("a");

    assertThat(build(AdsProtocol.SOTW, NODE))
        .isEqualTo(
            DiscoveryRequest.newBuilder()
                .setNode(NODE)
                .setTypeUrl(EDS.typeUrl())
                .addResourceNames("a")
                .addResourceNames("b")
                .build());
  }

  @Test
  void aSotwAnswerHasVersionNonceAllNamesAndTheReason() {
    watch("a");
    build(AdsProtocol.SOTW, NODE);
    answer("N", "7");

    assertThat(build(AdsProtocol.SOTW, null))
        .isEqualTo(
            DiscoveryRequest.newBuilder()
                .setTypeUrl(EDS.typeUrl())
                .addResourceNames("a")
                .setVersionInfo("7")
                .setResponseNonce("N")
                .setErrorDetail(ERROR)
                .build());
  }

  @Test
  void aSotwRequestFollowsEveryChangeOfNames() {
    WatcherSlot<String> a = watch("a");
    build(AdsProtocol.SOTW, NODE);
    watch("b");
    assertThat(((DiscoveryRequest) build(AdsProtocol.SOTW, null)).getResourceNamesList())
        .containsExactly("a", "b");

    unwatch("a", a);

    assertThat(((DiscoveryRequest) build(AdsProtocol.SOTW, null)).getResourceNamesList())
        .containsExactly("b");
  }

  @Test
  void aDeltaRequestHasOnlyTheDifference() {
    WatcherSlot<String> a = watch("a");
    watch("c");
    build(AdsProtocol.DELTA, NODE);
    unwatch("a", a);
    watch("d");
    watch("b");

    assertThat(build(AdsProtocol.DELTA, null))
        .isEqualTo(
            DeltaDiscoveryRequest.newBuilder()
                .setTypeUrl(EDS.typeUrl())
                .addResourceNamesSubscribe("b")
                .addResourceNamesSubscribe("d")
                .addResourceNamesUnsubscribe("a")
                .build());
  }

  @Test
  void aDeltaRequestHasANonceOnlyAsAnAnswer() {
    watch("a");
    build(AdsProtocol.DELTA, NODE);
    type.nonce = "N";
    watch("b");
    assertThat(((DeltaDiscoveryRequest) build(AdsProtocol.DELTA, null)).getResponseNonce())
        .isEmpty();

    answer("N", "");

    assertThat(build(AdsProtocol.DELTA, null))
        .isEqualTo(
            DeltaDiscoveryRequest.newBuilder()
                .setTypeUrl(EDS.typeUrl())
                .setResponseNonce("N")
                .setErrorDetail(ERROR)
                .build());
  }

  @Test
  void theFirstDeltaRequestOfATypeTellsVersionsOfGoodCopiesFromThisServer() {
    Cached<String> copy = new Cached<>("x", TestType.bytes("n", "x"), "5", context.now());
    watch("good");
    authority.entry(EDS, "good").received(copy, server);
    watch("from-elsewhere");
    authority.entry(EDS, "from-elsewhere").received(copy, ServerConfig.insecure("two:2"));
    watch("kept");
    authority.entry(EDS, "kept").received(copy, server);
    authority
        .entry(EDS, "kept")
        .set(
            new CacheEntry.Nacked<>(
                copy, new Failure(io.grpc.Status.INVALID_ARGUMENT, "6", context.now())));
    watch("unknown");

    DeltaDiscoveryRequest request = (DeltaDiscoveryRequest) build(AdsProtocol.DELTA, NODE);

    assertThat(request.getNode()).isEqualTo(NODE);
    assertThat(request.getResourceNamesSubscribeList())
        .containsExactly("from-elsewhere", "good", "kept", "unknown");
    assertThat(request.getInitialResourceVersionsMap()).containsOnlyKeys("good");
    assertThat(request.getInitialResourceVersionsMap()).containsEntry("good", "5");
  }
}
