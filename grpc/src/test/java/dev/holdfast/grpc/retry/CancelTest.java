// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.ManualExecutor;
import dev.holdfast.xds.resources.route.RetryableCode;
import io.grpc.CallOptions;
import io.grpc.Context;
import io.grpc.Status;
import java.util.EnumSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls that are cancelled, by the application or with their context, stay so. */
class CancelTest {
  private final Throwable cause = new IllegalStateException("cause");

  private final Tried it = new Tried();

  @BeforeEach
  void evenIfThePolicyHasCancelled() {
    it.codes = EnumSet.of(RetryableCode.CANCELLED, RetryableCode.UNAVAILABLE);
  }

  @Test
  void duringAnAttempt() {
    it.unary().call().cancel("enough", cause);
    assertThat(it.latest().steps).endsWith("cancel enough");
    assertEnded("enough");
    assertThat(it.status().getCause()).isSameAs(cause);
  }

  @Test
  void whileWaitingToTryAgain() {
    it.unary().latest().close(Status.UNAVAILABLE);
    it.call().cancel("enough", cause);
    assertEnded("enough");
    assertThat(it.status().getCause()).isSameAs(cause);
    it.call().cancel("again", null);
    assertEnded("enough");
  }

  @Test
  void withoutAMessage() {
    it.unary().latest().close(Status.UNAVAILABLE);
    it.call().cancel(null, cause);
    assertEnded("Call cancelled without message");
  }

  @Test
  void beforeTheStart() {
    it.call().cancel("enough", null);
    it.start();
    assertThat(it.status().getDescription()).isEqualTo("enough");
    assertThat(it.count()).isZero();
  }

  @Test
  void justAfterTheAttemptTookTooLong() {
    it.unary().latest().slowToCancel = true;
    it.after(500).call().cancel("enough", null);
    it.latest().close(Status.CANCELLED.withDescription("per-try timeout"));
    assertEnded("enough");
  }

  @Test
  void attemptThatIsStillBeingStartedIsCancelledAfterwards() {
    it.attempts.connecting = false;
    it.start();
    Attempt<String, String> attempt =
        new Attempt<>(new RetryingCall<>(it.rules(), target()), it.rules(), 1, false);
    attempt.cancel("enough", null);
    attempt.start(target(), new io.grpc.Metadata());
    assertThat(it.latest().steps).containsExactly("cancel enough");
  }

  private RetryingCall.Target<String, String> target() {
    return new RetryingCall.Target<>(Tried.method(), CallOptions.DEFAULT, it.attempts);
  }

  @Test
  void withItsContextWhileWaiting() {
    Context.CancellableContext context = Context.current().withCancellation();
    context.run(it::unary);
    it.latest().close(Status.UNAVAILABLE);
    context.cancel(cause);
    assertThat(it.status().getCode()).isEqualTo(Status.Code.CANCELLED);
    assertThat(it.status().getCause()).isSameAs(cause);
    assertThat(it.after(10_000).count()).isEqualTo(1);
  }

  @Test
  void withItsContextDuringAnAttemptWhichSeesToItItself() {
    Context.CancellableContext context = Context.current().withCancellation();
    context.run(it::unary);
    context.cancel(cause);
    assertThat(it.heard).isEmpty();
    it.latest().close(Status.CANCELLED.withDescription("context"));
    assertEnded("context");
  }

  @Test
  void contextOfTheCallIsThatOfAllItsAttemptsAndCallbacks() {
    Context context = Context.current().withValue(Context.key("k"), "v");
    context.run(it::unary);
    it.latest().close(Status.UNAVAILABLE);
    it.after(100);
    assertThat(it.attempts.all).extracting(attempt -> attempt.context).containsOnly(context);
  }

  @Test
  void attemptsAndCallbacksBetweenThemAreOnTheExecutorOfTheCall() {
    ManualExecutor executor = new ManualExecutor();
    it.options = CallOptions.DEFAULT.withExecutor(executor);
    it.unary().latest().close(Status.UNAVAILABLE);
    it.after(100);
    assertThat(it.count()).isEqualTo(1);
    executor.runAll();
    assertThat(it.count()).isEqualTo(2);

    it.latest().close(Status.UNAVAILABLE);
    it.after(150).call().cancel("enough", null);
    assertThat(it.heard).isEmpty();
    executor.runAll();
    assertEnded("enough", 2);
  }

  private void assertEnded(String description) {
    assertEnded(description, 1);
  }

  private void assertEnded(String description, int attempts) {
    assertThat(it.heard).containsExactly("close CANCELLED");
    assertThat(it.status().getDescription()).isEqualTo(description);
    assertThat(it.after(10_000).count()).isEqualTo(attempts);
    assertThat(it.heard).hasSize(1);
    assertThat(it.time.pending()).isEmpty();
  }
}
