// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.holdfast.testkit.ManualExecutor;
import io.grpc.Status;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Responses are written on the thread of the connection. */
final class ResponseWriterTest {
  private static final int LARGE = 32 << 10;

  private final ManualExecutor thread = new ManualExecutor();
  private final FakeServerCall<String> call = new FakeServerCall<>(thread);
  private final AtomicInteger writtenAgain = new AtomicInteger();
  private final ResponseWriter writer =
      new ResponseWriter(call, thread, writtenAgain::incrementAndGet);

  @Test
  void everythingIsWrittenOnTheConnectionThreadInOrder() {
    writer.open();
    writer.send(bytes(3));
    writer.send(bytes(4));
    writer.close(Status.OK);
    assertThat(call.done).isEmpty();
    thread.runAll();
    assertThat(call.done).containsExactly("headers", "message of 3", "message of 4", "close OK");
  }

  @Test
  void aSmallBacklogLeavesTheWriterReady() {
    writer.send(bytes(LARGE - 1));
    assertThat(writer.isReady()).isTrue();
    thread.runAll();
    assertThat(writtenAgain).hasValue(0);
  }

  @Test
  void aLargeBacklogBlocksUntilItIsWritten() {
    writer.send(bytes(LARGE));
    assertThat(writer.isReady()).isFalse();
    thread.runAll();
    assertThat(writer.isReady()).isTrue();
    assertThat(writtenAgain).hasValue(1);
  }

  @Test
  void grpcReportsTheEndOfItsOwnBacklog() {
    writer.send(bytes(LARGE));
    call.ready = false;
    thread.runAll();
    assertThat(writer.isReady()).isFalse();
    assertThat(writtenAgain).as("gRPC calls when it is ready").hasValue(0);
  }

  @Test
  void theWaitingFlagIsSetOnlyIfTheWriterWasNotReady() {
    assertThat(writer.isReady()).isTrue();
    assertThat(writer.clearAwaited()).isFalse();
    call.ready = false;
    assertThat(writer.isReady()).isFalse();
    assertThat(writer.clearAwaited()).isTrue();
    assertThat(writer.clearAwaited()).as("told once").isFalse();
  }

  private static ByteString bytes(int count) {
    return ByteString.copyFrom(new byte[count]);
  }
}
