// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.ReservedPorts;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.Status;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls over real connections, and what is counted of them. */
@Timeout(60)
class LoadGeneratorTest {
  private static Caller caller(int port) {
    return new Caller(
        Grpc.newChannelBuilder("127.0.0.1:" + port, InsecureChannelCredentials.create()).build());
  }

  @Test
  void aBackendAnswersEveryServiceWithItsName() throws Exception {
    CompletableFuture<CallResult> answer = new CompletableFuture<>();
    try (Backend backend = Backend.start("v1");
        Caller caller = caller(backend.port())) {
      caller.call(
          "any.Service",
          (status, it) -> {
            assertThat(status.getCode()).isEqualTo(Status.Code.OK);
            answer.complete(it);
          });
      assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo(new CallResult("v1", ""));
    }
  }

  @Test
  void answersAreCountedAndTheLastOfEachServiceIsKnown() throws IOException {
    try (Backend backend = Backend.start("v1");
        LoadGenerator load =
            new LoadGenerator("test", caller(backend.port()), List.of("a.A", "b.B"))) {
      assertThat(load.last("a.A")).isNull();
      load.start();
      while (load.tally().served() < 4) {
        Thread.onSpinWait();
      }
      assertThat(load.last("a.A")).isEqualTo(new CallResult("v1", ""));
      assertThat(load.last("b.B")).isEqualTo(new CallResult("v1", ""));
      assertThat(load.tally().failed()).isZero();
      assertThat(load.firstFailure()).isNull();
    }
  }

  @Test
  void aCallThatFailsHasFailed() {
    try (LoadGenerator load =
        new LoadGenerator("test", caller(ReservedPorts.next()), List.of("a.A"))) {
      load.start();
      while (load.tally().failed() == 0) {
        Thread.onSpinWait();
      }
      assertThat(load.firstFailure()).startsWith("a.A: UNAVAILABLE: ");
      assertThat(load.tally().served()).isZero();
    }
  }
}
