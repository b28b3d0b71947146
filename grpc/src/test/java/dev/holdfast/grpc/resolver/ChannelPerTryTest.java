// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.resolver;

import static dev.holdfast.grpc.resolver.Mesh.call;
import static dev.holdfast.grpc.resolver.Mesh.failure;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.FakeStream;
import dev.holdfast.testkit.Resources;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.grpc.CallCredentials;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Per-try timeouts of calls through a real channel. */
class ChannelPerTryTest {
  private final Mesh mesh = new Mesh();
  private final Backend one = new Backend("one");
  private final Backend two = new Backend("two");

  @AfterEach
  void close() {
    mesh.close();
    one.close();
    two.close();
  }

  @Test
  void slowBackendIsGivenUpForAQuickOne() {
    ManagedChannel channel = mesh.open(on());
    FakeStream<DiscoveryRequest, DiscoveryResponse> stream = mesh.awaitStream();
    mesh.serve(stream, "svc", Resources.apiListener("svc", "r"));
    mesh.serve(stream, "r", retrying("2s", "0.001s"));
    mesh.serve(stream, "c", Resources.edsCluster("c"));
    mesh.serve(stream, "c", Resources.endpoints("c", one.port(), two.port()));
    String answer = "";
    while (!answer.equals("two")) { // both are connected now, or it is the only one that is
      answer = call(channel, "S/M");
    }
    while (!answer.equals("one")) {
      answer = call(channel, "S/M");
    }
    int before = one.calls().all().size();
    for (int i = 0; i < 50; i++) {
      one.holdNext();
    }
    while (one.calls().all().size() == before) { // until it is the turn of the slow one
      long start = System.nanoTime();
      assertThat(call(channel, "S/M")).isEqualTo("two");
      Duration took = Duration.ofNanos(System.nanoTime() - start);
      if (one.calls().all().size() > before) {
        assertThat(took).isGreaterThan(Duration.ofMillis(1990));
      }
    }
  }

  @Test
  void callThatIsTooSlowEveryTimeFailsWithAReason() {
    ManagedChannel channel = mesh.open(on());
    mesh.serveAll(retrying("1s", "0.001s"), one);
    one.holdNext();
    one.holdNext();
    one.holdNext();
    Status status = failure(channel, "S/M");
    assertThat(status.getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(status.getDescription())
        .startsWith("attempt 3 of 3: no response within the per-try timeout of 1 s (expected: ");
    assertThat(one.calls().all()).hasSize(3);
  }

  @Test
  void failuresAreTriedAgainToo() {
    ManagedChannel channel = mesh.open(on());
    mesh.serveAll(retrying("10s", "0.001s"), one);
    one.failNext(Status.UNAVAILABLE, Status.UNAVAILABLE);
    assertThat(call(channel, "S/M")).isEqualTo("one");
    assertThat(one.calls().all()).hasSize(3);
    one.failNext(Status.INTERNAL.withDescription("not to be retried"));
    assertThat(failure(channel, "S/M").getDescription()).isEqualTo("not to be retried");
  }

  @ParameterizedTest
  @EnumSource(
      value = MethodType.class,
      names = {"UNARY", "CLIENT_STREAMING", "SERVER_STREAMING", "BIDI_STREAMING"})
  void callsOfAllKindsAreTriedAgain(MethodType type) throws Exception {
    ManagedChannel channel = mesh.open(on());
    mesh.serveAll(retrying("1s", "0.001s"), one);
    one.failNext(Status.UNAVAILABLE);
    one.holdNext();
    CompletableFuture<String> answer = new CompletableFuture<>();
    StreamObserver<String> requests =
        ClientCalls.asyncBidiStreamingCall(
            channel.newCall(
                Backend.method("S/M").toBuilder().setType(type).build(), within(20_000)),
            new StreamObserver<>() {
              private String received = "";

              @Override
              public void onNext(String value) {
                received += value;
              }

              @Override
              public void onError(Throwable t) {
                answer.completeExceptionally(t);
              }

              @Override
              public void onCompleted() {
                answer.complete(received);
              }
            });
    requests.onNext("q");
    requests.onCompleted();
    assertThat(answer.get(60, TimeUnit.SECONDS)).isEqualTo("one");
    assertThat(one.calls().all()).hasSize(3);
  }

  @Test
  void credentialsAreAskedForEachAttempt() {
    ManagedChannel channel = mesh.open(on());
    mesh.serveAll(retrying("10s", "0.001s"), one);
    one.failNext(Status.UNAVAILABLE);
    AtomicInteger asked = new AtomicInteger();
    CallCredentials credentials =
        new CallCredentials() {
          @Override
          public void applyRequestMetadata(
              RequestInfo info, Executor executor, MetadataApplier applier) {
            asked.incrementAndGet();
            executor.execute(() -> applier.apply(new Metadata()));
          }
        };
    assertThat(call(channel, "S/M", within(20_000).withCallCredentials(credentials)))
        .isEqualTo("one");
    assertThat(asked).hasValue(2);
  }

  @Test
  void channelThatDoesNotAskForThemHasNone() {
    ManagedChannel channel = mesh.channel();
    mesh.serveAll(retrying("0.05s", "0.001s"), one);
    assertThat(call(channel, "S/M")).isEqualTo("one");
    one.holdNext();
    assertThat(failure(channel, "S/M", within(2_000)).getCode())
        .isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(one.calls().all()).hasSize(2);
  }

  @Test
  void channelWithRetriesDisabledHasNone() {
    ManagedChannel channel = mesh.open(on().disableRetry());
    mesh.serveAll(retrying("0.05s", "0.001s"), one);
    one.failNext(Status.UNAVAILABLE.withDescription("the first"));
    assertThat(failure(channel, "S/M").getDescription()).isEqualTo("the first");
    one.holdNext();
    assertThat(failure(channel, "S/M", within(2_000)).getCode())
        .isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(one.calls().all()).hasSize(2);
  }

  @Test
  void callThatIsDroppedOnPurposeIsNotTriedAgain() {
    ManagedChannel channel = mesh.open(on());
    FakeStream<DiscoveryRequest, DiscoveryResponse> stream =
        mesh.serveAll(retrying("10s", "60s"), one);
    assertThat(call(channel, "S/M")).isEqualTo("one");
    ClusterLoadAssignment.Builder dropping = Resources.endpoints("c", one.port()).toBuilder();
    dropping
        .getPolicyBuilder()
        .addDropOverloadsBuilder()
        .setCategory("all")
        .getDropPercentageBuilder()
        .setNumerator(100);
    mesh.serve(stream, "c", dropping.build());
    Status status = Status.OK;
    while (status.isOk()) {
      status = outcome(channel);
    }
    assertThat(status.getCode())
        .as("not out of time while waiting to be tried again: %s", status)
        .isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void timeoutThatIsNoneIsRefusedByName() {
    mesh.open(on());
    FakeStream<DiscoveryRequest, DiscoveryResponse> stream = mesh.awaitStream();
    mesh.serve(stream, "svc", Resources.apiListener("svc", "r"));
    mesh.serve(stream, "r", retrying("0s", "0.001s"));
    stream.awaitRequests(
        requests ->
            requests.stream()
                .anyMatch(
                    request ->
                        request
                            .getErrorDetail()
                            .getMessage()
                            .contains("retry_policy.per_try_timeout: 0 s (expected: more than")));
  }

  private static Status outcome(ManagedChannel channel) {
    try {
      call(channel, "S/M", within(10_000));
      return Status.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus();
    }
  }

  private ManagedChannelBuilder<?> on() {
    return mesh.builder(mesh.options.withPerTryTimeout());
  }

  private static CallOptions within(long millis) {
    return CallOptions.DEFAULT.withDeadlineAfter(millis, TimeUnit.MILLISECONDS);
  }

  private static RouteConfiguration retrying(String perTry, String backoff) {
    return Resources.routeConfiguration(
        """
        {"name": "r", "virtual_hosts": [{"name": "h", "domains": ["svc"], "routes": [
          {"match": {"prefix": ""}, "route": {"cluster": "c", "retry_policy": {
            "retry_on": "unavailable", "num_retries": 2, "per_try_timeout": "%s",
            "retry_back_off": {"base_interval": "%s"}}}}]}]}
        """
            .formatted(perTry, backoff));
  }
}
