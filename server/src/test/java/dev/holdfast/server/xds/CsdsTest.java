// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.xds;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.server.FakeReports;
import dev.holdfast.server.SampleReports;
import dev.holdfast.server.options.ListenAddress;
import dev.holdfast.server.proto.Redaction;
import io.envoyproxy.envoy.admin.v3.ClientResourceStatus;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;
import io.envoyproxy.envoy.service.status.v3.ClientConfig;
import io.envoyproxy.envoy.service.status.v3.ClientConfig.GenericXdsConfig;
import io.envoyproxy.envoy.service.status.v3.ClientStatusDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.status.v3.ClientStatusRequest;
import io.envoyproxy.envoy.service.status.v3.ClientStatusResponse;
import io.envoyproxy.envoy.service.status.v3.ConfigStatus;
import io.envoyproxy.envoy.type.matcher.v3.NodeMatcher;
import io.envoyproxy.envoy.type.matcher.v3.RegexMatcher;
import io.envoyproxy.envoy.type.matcher.v3.StringMatcher;
import io.envoyproxy.envoy.type.matcher.v3.StructMatcher;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the xDS port tells about proxies, over a real connection. */
@SuppressWarnings("NullAway.Init") // set by start()
class CsdsTest {
  private final FakeReports reports = new FakeReports();
  private XdsServer server;
  private ManagedChannel channel;

  @BeforeEach
  void start() throws Exception {
    server =
        XdsServer.start(
            new ListenAddress("127.0.0.1", 0),
            InsecureServerCredentials.create(),
            List.of(new CsdsService(reports)),
            1 << 20);
    channel =
        Grpc.newChannelBuilder(server.address().toString(), InsecureChannelCredentials.create())
            .build();
    reports.proxies = List.of(SampleReports.proxy("envoy-1"), SampleReports.proxy("envoy-2"));
    reports.resources =
        List.of(
            SampleReports.cluster("a", List.of("envoy-1")),
            SampleReports.secret(List.of("envoy-1")));
  }

  @AfterEach
  void stop() {
    channel.shutdownNow();
    server.close();
  }

  @Test
  void everyProxyHasItsOwnConfig() {
    List<ClientConfig> configs = fetch(ClientStatusRequest.getDefaultInstance()).getConfigList();

    assertThat(configs).extracting(c -> c.getNode().getId()).containsExactly("envoy-1", "envoy-2");
    GenericXdsConfig accepted = configs.get(0).getGenericXdsConfigs(0);
    assertThat(accepted.getName()).isEqualTo("a");
    assertThat(accepted.getConfigStatus()).isEqualTo(ConfigStatus.SYNCED);
    assertThat(accepted.getClientStatus()).isEqualTo(ClientResourceStatus.ACKED);
    assertThat(accepted.getVersionInfo()).hasSize(32);
    assertThat(accepted.hasXdsConfig()).isTrue();
    GenericXdsConfig rejected = configs.get(0).getGenericXdsConfigs(1);
    assertThat(rejected.getConfigStatus()).isEqualTo(ConfigStatus.ERROR);
    assertThat(rejected.getClientStatus()).isEqualTo(ClientResourceStatus.NACKED);
    assertThat(rejected.getErrorState().getDetails()).isEqualTo("bad key");
    assertThat(rejected.getErrorState().getVersionInfo()).hasSize(32);
    assertThat(rejected.hasXdsConfig()).isFalse();
  }

  @Test
  void whatAProxyAsksForWithAllOthersAndWasNotSentIsToldSo() {
    GenericXdsConfig unsent =
        fetch(ClientStatusRequest.getDefaultInstance()).getConfig(1).getGenericXdsConfigs(0);

    assertThat(unsent.getName()).isEqualTo("a");
    assertThat(unsent.getConfigStatus()).isEqualTo(ConfigStatus.NOT_SENT);
    assertThat(unsent.getClientStatus()).isEqualTo(ClientResourceStatus.REQUESTED);
    assertThat(
            fetch(ClientStatusRequest.getDefaultInstance()).getConfig(1).getGenericXdsConfigsList())
        .as("a secret that it did not name is none of its business")
        .hasSize(1);
  }

  @Test
  void privateKeysStayPrivate() throws Exception {
    reports.resources = List.of(SampleReports.acceptedSecret(List.of("envoy-1")));

    GenericXdsConfig config =
        fetch(ClientStatusRequest.getDefaultInstance()).getConfig(0).getGenericXdsConfigs(0);

    assertThat(new String(config.toByteArray(), ISO_8859_1))
        .doesNotContain(SampleReports.PRIVATE_KEY);
    assertThat(
            config
                .getXdsConfig()
                .unpack(Secret.class)
                .getTlsCertificate()
                .getPrivateKey()
                .getInlineString())
        .isEqualTo(Redaction.REDACTED);
  }

  @Test
  void contentsCanBeLeftOut() {
    ClientStatusResponse response =
        fetch(ClientStatusRequest.newBuilder().setExcludeResourceContents(true).build());

    assertThat(response.getConfig(0).getGenericXdsConfigs(0).hasXdsConfig()).isFalse();
    assertThat(response.getConfig(0).getGenericXdsConfigs(0).getVersionInfo()).isNotEmpty();
  }

  @Test
  void someProxiesCanBeAskedFor() {
    assertThat(nodes(StringMatcher.newBuilder().setExact("envoy-2"))).containsExactly("envoy-2");
    assertThat(nodes(StringMatcher.newBuilder().setPrefix("ENVOY").setIgnoreCase(true)))
        .containsExactly("envoy-1", "envoy-2");
    assertThat(nodes(StringMatcher.newBuilder().setSuffix("-1"))).containsExactly("envoy-1");
    assertThat(nodes(StringMatcher.newBuilder().setContains("x"))).isEmpty();
    assertThat(
            nodes(
                StringMatcher.newBuilder()
                    .setSafeRegex(RegexMatcher.newBuilder().setRegex("envoy-[2-9]"))))
        .containsExactly("envoy-2");
  }

  @Test
  void matchersThatCannotBeUnderstoodAreRefused() {
    assertThatThrownBy(
            () ->
                fetch(
                    ClientStatusRequest.newBuilder()
                        .addNodeMatchers(
                            NodeMatcher.newBuilder()
                                .addNodeMetadatas(StructMatcher.getDefaultInstance()))
                        .build()))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining("INVALID_ARGUMENT")
        .hasMessageContaining("node_metadatas");
  }

  @Test
  void aStreamAnswersEachRequest() throws Exception {
    BlockingQueue<Object> heard = new LinkedBlockingQueue<>();
    StreamObserver<ClientStatusRequest> requests =
        ClientStatusDiscoveryServiceGrpc.newStub(channel).streamClientStatus(new Queued(heard));

    requests.onNext(ClientStatusRequest.getDefaultInstance());
    requests.onNext(ClientStatusRequest.getDefaultInstance());
    requests.onCompleted();

    assertThat(heard.poll(60, TimeUnit.SECONDS)).isInstanceOf(ClientStatusResponse.class);
    assertThat(heard.poll(60, TimeUnit.SECONDS)).isInstanceOf(ClientStatusResponse.class);
    assertThat(heard.poll(60, TimeUnit.SECONDS)).isEqualTo("completed");
  }

  @Test
  void aFailureInsideIsNotShownOutside() {
    reports.failure = new IllegalStateException("secret detail");

    assertThatThrownBy(() -> fetch(ClientStatusRequest.getDefaultInstance()))
        .hasMessage("INTERNAL: the control plane failed to answer");
  }

  @Test
  void whenTooManyAskAtOnceSomeAreRefused() {
    CsdsService busy =
        new CsdsService(
            reports,
            task -> {
              throw new RejectedExecutionException("full");
            });
    BlockingQueue<Object> heard = new LinkedBlockingQueue<>();

    busy.fetchClientStatus(ClientStatusRequest.getDefaultInstance(), new Queued(heard));

    assertThat(heard.poll())
        .isInstanceOfSatisfying(
            StatusException.class,
            e -> assertThat(e).hasMessage("RESOURCE_EXHAUSTED: too many concurrent requests"));
  }

  private List<String> nodes(StringMatcher.Builder matcher) {
    return fetch(
            ClientStatusRequest.newBuilder()
                .addNodeMatchers(NodeMatcher.newBuilder().setNodeId(matcher))
                .build())
        .getConfigList()
        .stream()
        .map(config -> config.getNode().getId())
        .toList();
  }

  private ClientStatusResponse fetch(ClientStatusRequest request) {
    return ClientStatusDiscoveryServiceGrpc.newBlockingStub(channel).fetchClientStatus(request);
  }

  private record Queued(BlockingQueue<Object> heard)
      implements StreamObserver<ClientStatusResponse> {
    @Override
    public void onNext(ClientStatusResponse response) {
      heard.add(response);
    }

    @Override
    public void onError(Throwable error) {
      heard.add(error);
    }

    @Override
    public void onCompleted() {
      heard.add("completed");
    }
  }
}
