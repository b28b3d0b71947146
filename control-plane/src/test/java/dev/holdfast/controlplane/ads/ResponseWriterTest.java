// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.holdfast.testkit.ManualExecutor;
import io.grpc.Status;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What is sent goes out on the thread of the connection. */
final class ResponseWriterTest {
  private static final int LARGE = 32 << 10;

  private final ManualExecutor thread = new ManualExecutor();
  private final FakeServerCall<String> call = new FakeServerCall<>(thread);
  private final AtomicInteger writtenAgain = new AtomicInteger();
  private final ResponseWriter outlet =
      new ResponseWriter(call, thread, writtenAgain::incrementAndGet);

  @Test
  void everythingIsDoneThereAndInOrder() {
    outlet.open();
    outlet.send(bytes(3));
    outlet.send(bytes(4));
    outlet.close(Status.OK);
    assertThat(call.done).isEmpty();
    thread.runAll();
    assertThat(call.done).containsExactly("headers", "message of 3", "message of 4", "close OK");
  }

  @Test
  void littleThatIsUnwrittenKeepsNobodyFromSendingMore() {
    outlet.send(bytes(LARGE - 1));
    assertThat(outlet.isReady()).isTrue();
    thread.runAll();
    assertThat(writtenAgain).hasValue(0);
  }

  @Test
  void muchThatIsUnwrittenDoesUntilItIsWritten() {
    outlet.send(bytes(LARGE));
    assertThat(outlet.isReady()).isFalse();
    thread.runAll();
    assertThat(outlet.isReady()).isTrue();
    assertThat(writtenAgain).hasValue(1);
  }

  @Test
  void whoeverIsNotReadyItselfSaysSoItself() {
    outlet.send(bytes(LARGE));
    call.ready = false;
    thread.runAll();
    assertThat(outlet.isReady()).isFalse();
    assertThat(writtenAgain).as("gRPC calls when it is ready").hasValue(0);
  }

  @Test
  void onlyThoseWhoFoundItNotReadyWait() {
    assertThat(outlet.isReady()).isTrue();
    assertThat(outlet.takeAwaited()).isFalse();
    call.ready = false;
    assertThat(outlet.isReady()).isFalse();
    assertThat(outlet.takeAwaited()).isTrue();
    assertThat(outlet.takeAwaited()).as("told once").isFalse();
  }

  private static ByteString bytes(int count) {
    return ByteString.copyFrom(new byte[count]);
  }
}
