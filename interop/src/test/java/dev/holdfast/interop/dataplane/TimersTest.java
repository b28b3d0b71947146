// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.Message;
import dev.holdfast.base.Env;
import dev.holdfast.grpc.resolver.HoldfastChannel;
import dev.holdfast.grpc.resolver.XdsOptions;
import dev.holdfast.testkit.Resources;
import dev.holdfast.xds.client.Behaviour;
import dev.holdfast.xds.client.ServerFeature;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a call sees when a server is silent for the whole of the 15 seconds of gRFC A57, or the 30
 * of gRFC A88: real calls and sockets, and time that is moved by hand.
 */
@Execution(ExecutionMode.CONCURRENT)
class TimersTest {
  private static final Duration MOMENT = Duration.ofMillis(1);

  /**
   * The timers of production, but the one for the connection, which cannot be told from another.
   */
  private static final Behaviour PATIENT =
      Stage.behaviour(Duration.ofSeconds(15), /* dispatchTimeout= */ Duration.ofSeconds(60));

  private final Stage stage = new Stage();
  private final Backend backend = stage.backend("one");
  private final HandMovedTime time = new HandMovedTime();

  static Stream<Arguments> cases() {
    return Stream.of(AdsProtocol.values())
        .flatMap(
            protocol -> Stream.of(StageType.values()).map(type -> Arguments.of(protocol, type)));
  }

  @AfterEach
  void close() {
    stage.close();
  }

  private ManagedChannel channel(AdsProtocol protocol, ServerFeature... features) {
    return stage.open(
        HoldfastChannel.forTarget(
            "xds:///svc",
            InsecureChannelCredentials.create(),
            XdsOptions.of(stage.bootstrap(features))
                .withProtocol(protocol)
                .withBehaviour(PATIENT)
                .withEnv(new Env(ForkJoinPool.commonPool(), time, new SplittableRandom(1)))));
  }

  private void serveUpTo(StageType type) {
    List<Message> all =
        List.of(
            Resources.apiListener("svc", "r"),
            Resources.routesTo("r", "c"),
            Resources.edsCluster("c"),
            Resources.endpoints("c", backend.port()));
    stage.ads.set(all.subList(0, StageType.inOrder().indexOf(type)).toArray(Message[]::new));
  }

  /** The status of a call that was begun before the server had been silent for so long. */
  private Status afterSilenceOf(Duration limit, ManagedChannel channel, StageType type)
      throws Exception {
    ListenableFuture<String> call = Rpc.begin(channel);
    stage.ads.awaitSubscription(type.url, type.resource);
    Stage.await("the timer", () -> time.waits(limit));
    time.advance(limit.minus(MOMENT));
    assertThat(call.isDone()).isFalse();
    time.advance(MOMENT);
    return Status.fromThrowable(
        catchThrowableOfType(ExecutionException.class, () -> call.get(30, TimeUnit.SECONDS)));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void after15SecondsAResourceCountsAsMissing(AdsProtocol protocol, StageType type)
      throws Exception {
    serveUpTo(type);
    ManagedChannel channel = channel(protocol);
    Status status = afterSilenceOf(Duration.ofSeconds(15), channel, type);
    assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(status.getDescription())
        .contains(
            type + " resource " + type.resource + ": does not exist: ",
            stage.ads.uri() + " did not send it within 15 s",
            "node ID:" + Stage.NODE);
    stage.serve(backend); // late, but welcome
    Stage.awaitBackend(channel, backend);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void after30SecondsAServerThatWouldHaveSaidSoCountsAsSlow(AdsProtocol protocol, StageType type)
      throws Exception {
    serveUpTo(type);
    ManagedChannel channel = channel(protocol, ServerFeature.RESOURCE_TIMER_IS_TRANSIENT_ERROR);
    Status status = afterSilenceOf(Duration.ofSeconds(30), channel, type);
    assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(status.getDescription())
        .contains(
            type + " resource " + type.resource + ": ",
            "timed out: xDS server " + stage.ads.uri() + " did not send it within 30 s",
            "node ID:" + Stage.NODE);
    stage.serve(backend);
    Stage.awaitBackend(channel, backend);
  }
}
