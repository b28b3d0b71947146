// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;

/** What happens while a step is being done waits until it is done. */
class OutboundOrderTest {
  private final Outbound<String> outbound = new Outbound<>();
  private final FakeAttempt attempt = new FakeAttempt(CallOptions.DEFAULT, false, started -> {});
  private final Deque<Runnable> meanwhile = new ArrayDeque<>();

  /** Something happens before each message is on its way. */
  private final class Interrupted extends SimpleForwardingClientCall<String, String> {
    Interrupted() {
      super(attempt);
    }

    @Override
    public void sendMessage(String message) {
      Runnable first = meanwhile.poll();
      if (first != null) {
        first.run();
      }
      super.sendMessage(message);
    }
  }

  @Test
  void stepThatComesMeanwhileIsDoneAfterwards() {
    outbound.replayOn(1, new Interrupted());
    meanwhile.add(() -> send("2"));
    send("1");
    assertThat(attempt.steps).containsExactly("send 1", "send 2");
  }

  @Test
  void stepAfterACommitMeanwhileIsDoneAfterwardsToo() {
    outbound.replayOn(1, new Interrupted());
    meanwhile.add(
        () -> {
          outbound.commit();
          send("2");
        });
    send("1");
    send("3");
    assertThat(attempt.steps).containsExactly("send 1", "send 2", "send 3");
  }

  @Test
  void attemptThatIsOverMeanwhileGetsNoMore() {
    FakeAttempt second = new FakeAttempt(CallOptions.DEFAULT, false, started -> {});
    send("1");
    send("2");
    meanwhile.add(
        () -> {
          outbound.pause(1);
          outbound.replayOn(2, second);
        });
    outbound.replayOn(1, new Interrupted());
    send("3");
    assertThat(attempt.steps).containsExactly("send 1");
    assertThat(second.steps).containsExactly("send 1", "send 2", "send 3");
  }

  private void send(String message) {
    outbound.add(call -> call.sendMessage(message));
  }
}
