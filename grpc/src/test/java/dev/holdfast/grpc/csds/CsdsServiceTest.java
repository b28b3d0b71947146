// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.csds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.testkit.FakeAdsServer;
import dev.holdfast.testkit.Recorder;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.status.v3.ClientConfig;
import io.envoyproxy.envoy.service.status.v3.ClientStatusDiscoveryServiceGrpc;
import io.envoyproxy.envoy.service.status.v3.ClientStatusRequest;
import io.envoyproxy.envoy.service.status.v3.ClientStatusResponse;
import io.envoyproxy.envoy.type.matcher.v3.NodeMatcher;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CsdsServiceTest {
  private static final ClientStatusRequest ALL = ClientStatusRequest.getDefaultInstance();
  private static final ClientStatusRequest MATCHING =
      ClientStatusRequest.newBuilder().addNodeMatchers(NodeMatcher.getDefaultInstance()).build();

  private final ClientRegistry registry = new ClientRegistry();
  private final Recorder<Object> answers = new Recorder<>("answer");
  private final FakeAdsServer server =
      FakeAdsServer.start(builder -> builder.addService(new CsdsService(registry)));
  private final ManagedChannel channel =
      Grpc.newChannelBuilder(server.uri(), InsecureChannelCredentials.create()).build();

  @AfterEach
  void close() {
    channel.shutdownNow();
    server.close();
  }

  @Test
  void e90ShowsNothingIfThereAreNoClients() {
    assertThat(fetch(ALL)).isEqualTo(ClientStatusResponse.getDefaultInstance());
  }

  @Test
  void g90ShowsAllClientsInOrderUntilTheyAreTakenOut() {
    ClientRegistry.Registration first = registry.add("a", node("n"), FakeClient.of());
    registry.add("b", node("m"), FakeClient.of());
    assertThat(fetch(ALL).getConfigList()).containsExactly(config("a", "n"), config("b", "m"));

    first.close();
    first.close();
    assertThat(fetch(ALL).getConfigList()).containsExactly(config("b", "m"));
  }

  @Test
  void refusesNodeMatchers() {
    assertThatExceptionOfType(StatusRuntimeException.class)
        .isThrownBy(() -> fetch(MATCHING))
        .withMessageContaining("INVALID_ARGUMENT: node_matchers");

    stream().onNext(MATCHING);
    assertThat(statusOf(answers.next()).getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
  }

  @Test
  void reportsAClientThatFailsButNotOneThatIsGone() {
    FakeClient broken = new FakeClient();
    broken.dump = CompletableFuture.failedFuture(new IllegalStateException("oops"));
    registry.add("b", node("m"), FakeClient.of());
    ClientRegistry.Registration registration = registry.add("a", node("n"), broken);
    assertThatExceptionOfType(StatusRuntimeException.class)
        .isThrownBy(() -> fetch(ALL))
        .withMessageContaining("INTERNAL")
        .withMessageContaining("oops");

    FakeClient slow = new FakeClient();
    ClientRegistry.Registration closing = registry.add("c", node("n"), slow);
    registration.close();
    stream().onNext(ALL);
    slow.asked.next();
    closing.close();
    slow.dump.completeExceptionally(new IllegalStateException("closed"));
    assertThat(((ClientStatusResponse) answers.next()).getConfigList())
        .containsExactly(config("b", "m"));
  }

  @Test
  void answersEachQuestionOfAStreamInOrderAndThenEndsIt() {
    FakeClient slow = new FakeClient();
    registry.add("a", node("n"), slow);
    StreamObserver<ClientStatusRequest> stream = stream();
    stream.onNext(ALL);
    stream.onNext(ALL);
    stream.onCompleted();
    slow.dump.complete(List.of());

    assertThat(((ClientStatusResponse) answers.next()).getConfigCount()).isEqualTo(1);
    assertThat(((ClientStatusResponse) answers.next()).getConfigCount()).isEqualTo(1);
    assertThat(answers.next()).isEqualTo("completed");
  }

  @Test
  void g90CanShowASingleClient() {
    CsdsService service = new CsdsService(node("n"), FakeClient.of());

    assertThat(service.answer(ALL).join().getConfigList()).containsExactly(config("", "n"));
  }

  private ClientStatusResponse fetch(ClientStatusRequest request) {
    return ClientStatusDiscoveryServiceGrpc.newBlockingStub(channel).fetchClientStatus(request);
  }

  private StreamObserver<ClientStatusRequest> stream() {
    return ClientStatusDiscoveryServiceGrpc.newStub(channel)
        .streamClientStatus(
            new StreamObserver<>() {
              @Override
              public void onNext(ClientStatusResponse response) {
                answers.add(response);
              }

              @Override
              public void onError(Throwable t) {
                answers.add(t);
              }

              @Override
              public void onCompleted() {
                answers.add("completed");
              }
            });
  }

  private static Status statusOf(Object error) {
    return Status.fromThrowable((Throwable) error);
  }

  private static ClientConfig config(String scope, String node) {
    return ClientConfig.newBuilder().setClientScope(scope).setNode(node(node)).build();
  }

  private static Node node(String id) {
    return Node.newBuilder().setId(id).build();
  }
}
