// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import org.junit.jupiter.api.Test;

/** The time that each attempt has. */
class AttemptTimeTest {
  private final Tried it = new Tried();

  @Test
  void attemptThatTakesTooLongIsTriedAgainWhateverRetryOnSays() {
    it.unary().after(499);
    assertThat(it.latest().closed).isFalse();
    it.after(1);
    assertThat(it.latest().steps).endsWith("cancel per-try timeout of 0.5 s exceeded");
    assertThat(it.after(99).count()).isEqualTo(1);
    assertThat(it.after(1).count()).as("after the backoff").isEqualTo(2);
    it.latest().onHeaders();
    it.latest().onMessage("a");
    it.latest().close(Status.OK);
    assertThat(it.heard).containsExactly("headers", "message a", "close OK");
    assertThat(it.time.pending()).isEmpty();
  }

  @Test
  void lastAttemptThatTakesTooLongEndsTheCallWithATextThatSaysSo() {
    it.unary().after(500 + 100 + 500 + 150 + 499);
    assertThat(it.heard).isEmpty();
    it.after(1);
    assertThat(it.status().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(it.status().getDescription())
        .isEqualTo(
            "attempt 3 of 3: no response within the per-try timeout of 0.5 s (expected: endpoints"
                + " that answer sooner, or a longer per_try_timeout in the retry_policy of the"
                + " route)");
    assertThat(it.count()).isEqualTo(3);
    assertThat(it.time.pending()).isEmpty();
  }

  @Test
  void responseThatHasBegunMayTakeAsLongAsItLikes() {
    it.unary().after(499);
    it.latest().onHeaders();
    it.after(10_000);
    it.latest().onMessage("a");
    it.latest().close(Status.OK);
    assertThat(it.heard).containsExactly("headers", "message a", "close OK");
    assertThat(it.count()).isEqualTo(1);
  }

  @Test
  void requestMayTakeAsLongAsTheApplicationLikes() {
    it.start();
    it.call().sendMessage("1");
    it.after(10_000).call().sendMessage("2");
    assertThat(it.latest().closed).isFalse();
    it.call().halfClose();
    it.after(499);
    assertThat(it.latest().closed).isFalse();
    it.after(1);
    assertThat(it.latest().closed).isTrue();
  }

  @Test
  void waitingForAConnectionDoesNotCount() {
    it.attempts.connecting = false;
    it.unary().after(10_000);
    assertThat(it.latest().closed).isFalse();
    it.latest().connect();
    it.after(499);
    assertThat(it.latest().closed).isFalse();
    it.after(1);
    assertThat(it.latest().closed).isTrue();
  }

  @Test
  void timeStartsAnewWhenTheChannelMovesTheAttemptToAnotherConnection() {
    it.unary().after(400).latest().disconnect();
    it.after(1_000).latest().connect();
    it.after(499);
    assertThat(it.latest().closed).isFalse();
    it.after(1);
    assertThat(it.latest().closed).isTrue();
  }

  @Test
  void headersThatArrivedInTimeCountEvenIfTheCallbackIsLate() {
    it.unary().after(499).latest().headersOnTheWire();
    it.after(1_000).latest().onHeaders();
    assertThat(it.heard).containsExactly("headers");
    assertThat(it.count()).isEqualTo(1);
  }

  @Test
  void responseThatComesAfterTheAttemptWasGivenUpIsIgnored() {
    it.unary().latest().slowToCancel = true;
    it.after(500);
    FakeAttempt late = it.latest();
    late.onHeaders();
    late.onMessage("late");
    late.onReady();
    late.close(Status.OK);
    it.after(100);
    assertThat(it.count()).isEqualTo(2);
    it.latest().onHeaders();
    it.latest().close(Status.OK);
    assertThat(it.heard).containsExactly("headers", "close OK");
  }

  @Test
  void attemptThatFailsInTimeLeavesNoTimer() {
    it.unary().after(100).latest().close(Status.NOT_FOUND);
    assertThat(it.heard).containsExactly("close NOT_FOUND");
    assertThat(it.time.pending()).isEmpty();
  }
}
