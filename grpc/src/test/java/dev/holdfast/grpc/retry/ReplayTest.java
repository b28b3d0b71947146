// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.ClientCall;
import io.grpc.Status;
import org.junit.jupiter.api.Test;

/** Each attempt is given what the application did, in the same order. */
class ReplayTest {
  private final Tried it = new Tried();

  @Test
  void everythingSoFarIsDoneAgain() {
    ClientCall<String, String> call = it.start().call();
    call.request(1);
    call.setMessageCompression(true);
    call.sendMessage("1");
    call.request(5);
    call.sendMessage("2");
    call.halfClose();
    it.latest().close(Status.UNAVAILABLE);
    it.after(100);
    assertThat(it.latest().steps)
        .containsExactly("request 1", "compress true", "send 1", "request 5", "send 2", "halfClose")
        .isEqualTo(it.attempts.all.get(0).steps);
  }

  @Test
  void whatIsDoneWhileWaitingIsForTheNextAttempt() {
    ClientCall<String, String> call = it.start().call();
    call.sendMessage("1");
    it.latest().close(Status.UNAVAILABLE);
    call.sendMessage("2");
    it.after(100);
    call.sendMessage("3");
    assertThat(it.attempts.all.get(0).steps).containsExactly("send 1");
    assertThat(it.latest().steps).containsExactly("send 1", "send 2", "send 3");
  }

  @Test
  void whatFollowsTheBeginningOfTheResponseIsNotKept() {
    ClientCall<String, String> call = it.start().call();
    call.sendMessage("1");
    it.latest().onHeaders();
    call.sendMessage("2");
    call.request(1);
    call.halfClose();
    call.cancel("enough", null);
    assertThat(it.latest().steps)
        .containsExactly("send 1", "send 2", "request 1", "halfClose", "cancel enough");
  }

  @Test
  void callThatSentMoreThanIsKeptIsNotTriedAgain() {
    it.unary().latest().wireSize(RetryingCall.BUFFER_LIMIT);
    it.latest().close(Status.UNAVAILABLE);
    it.after(100).latest().wireSize(RetryingCall.BUFFER_LIMIT);
    it.latest().wireSize(1);
    it.latest().close(Status.UNAVAILABLE.withDescription("second"));
    assertThat(it.status().getDescription()).isEqualTo("second");
    assertThat(it.count()).isEqualTo(2);
  }

  @Test
  void callThatSentMoreThanIsKeptStillHasTheTimeOfItsAttempt() {
    it.start().latest().wireSize(RetryingCall.BUFFER_LIMIT + 1);
    it.call().sendMessage("after");
    it.call().halfClose();
    assertThat(it.latest().steps).containsExactly("send after", "halfClose");
    it.after(500);
    assertThat(it.status().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(it.status().getDescription())
        .startsWith(
            "attempt 1 of 3: no response within the per-try timeout of 0.5 s, and too much was"
                + " sent to send it again (expected: ");
  }

  @Test
  void callIsReadyWhenItsAttemptIs() {
    it.start();
    assertThat(it.call().isReady()).isFalse();
    it.latest().onReady();
    assertThat(it.call().isReady()).isTrue();
    it.latest().close(Status.UNAVAILABLE);
    assertThat(it.call().isReady()).as("no attempt").isFalse();
    it.after(100);
    assertThat(it.call().isReady()).as("a new attempt").isFalse();
    it.latest().onReady();
    assertThat(it.call().isReady()).isTrue();
    assertThat(it.heard).containsExactly("ready", "ready");
  }

  @Test
  void attributesAreThoseOfTheAttempt() {
    it.start();
    assertThat(it.call().getAttributes().get(FakeAttempt.NAME)).isEqualTo("attempt");
    it.latest().close(Status.UNAVAILABLE);
    assertThat(it.call().getAttributes().get(FakeAttempt.NAME)).isNull();
  }

  @Test
  void mistakeOfTheApplicationIsThrownAtItAndEndsTheCallWhenItIsTriedAgain() {
    it.start();
    assertThatThrownBy(() -> it.call().sendMessage("bad")).hasMessage("bad message");
    it.call().sendMessage("good");
    assertThat(it.latest().steps).containsExactly("send good");
    it.latest().close(Status.UNAVAILABLE);
    it.after(100);
    assertThat(it.status().getCode()).isEqualTo(Status.Code.CANCELLED);
    assertThat(it.status().getDescription()).isEqualTo("cannot be tried again");
    assertThat(it.status().getCause()).hasMessage("bad message");
    assertThat(it.latest().closed).isTrue();
    assertThat(it.heard).hasSize(1);
  }

  @Test
  void nothingIsDoneAfterTheEnd() {
    it.unary().latest().close(Status.NOT_FOUND);
    it.call().sendMessage("late");
    it.call().cancel("late", null);
    assertThat(it.latest().steps).containsExactly("request 2", "send q", "halfClose");
    assertThat(it.heard).hasSize(1);
  }
}
