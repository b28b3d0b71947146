// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.common.util.concurrent.ListenableFuture;
import dev.holdfast.base.Env;
import dev.holdfast.testkit.SharedTime;
import dev.holdfast.xds.client.Behaviour;
import dev.holdfast.xds.client.ServerFeature;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
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
  private final SharedTime time = new SharedTime();

  @AfterEach
  void close() {
    stage.close();
  }

  private ManagedChannel channel(AdsProtocol protocol, ServerFeature... features) {
    return stage.channel(
        options ->
            options
                .withProtocol(protocol)
                .withBehaviour(PATIENT)
                .withEnv(new Env(ForkJoinPool.commonPool(), time, new SplittableRandom(1))),
        features);
  }

  /** The status of a call that was begun before the server had been silent for so long. */
  private Status afterSilenceOf(Duration limit, ManagedChannel channel, StageType type)
      throws Exception {
    ListenableFuture<String> call = Rpc.begin(channel);
    stage.ads.awaitSubscription(type.url, type.resource);
    Stage.await("the timer", () -> time.hasTimer(limit));
    time.advance(limit.minus(MOMENT));
    assertThat(call.isDone()).isFalse();
    time.advance(MOMENT);
    return Status.fromThrowable(
        catchThrowableOfType(ExecutionException.class, () -> call.get(30, TimeUnit.SECONDS)));
  }

  @ParameterizedTest
  @MethodSource("dev.holdfast.interop.dataplane.StageType#inBothProtocols")
  void after15SecondsAResourceCountsAsMissing(AdsProtocol protocol, StageType type)
      throws Exception {
    stage.serveUpTo(type, backend);
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
  @MethodSource("dev.holdfast.interop.dataplane.StageType#inBothProtocols")
  void after30SecondsAServerThatWouldHaveSaidSoCountsAsSlow(AdsProtocol protocol, StageType type)
      throws Exception {
    stage.serveUpTo(type, backend);
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
