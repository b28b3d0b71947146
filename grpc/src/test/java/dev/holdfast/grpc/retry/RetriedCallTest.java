// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.resources.route.RetryableCode;
import io.grpc.CallOptions;
import io.grpc.Status;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;

/** Which failures are tried again, and which end the call. */
class RetriedCallTest {
  private final Tried it = new Tried();

  @Test
  void failureThatThePolicyHasIsTriedAgainAfterTheBackoff() {
    it.unary().latest().close(Status.UNAVAILABLE);
    assertThat(it.after(99).count()).isEqualTo(1);
    it.after(1).latest().close(Status.UNAVAILABLE);
    assertThat(it.after(149).count()).isEqualTo(2);
    it.after(1).latest().close(Status.UNAVAILABLE.withDescription("the third"));
    assertThat(it.after(10_000).count()).isEqualTo(3);
    assertThat(it.heard).containsExactly("close UNAVAILABLE");
    assertThat(it.status().getDescription()).isEqualTo("the third");
  }

  @Test
  void failureThatThePolicyDoesNotHaveEndsTheCall() {
    it.unary().latest().close(Status.INTERNAL.withDescription("no"));
    assertThat(it.heard).containsExactly("close INTERNAL");
    assertThat(it.status().getDescription()).isEqualTo("no");
    assertThat(it.time.pending()).isEmpty();
  }

  @Test
  void serverSaysWhenToComeBackOrNotTo() {
    it.unary().latest().close(Status.UNAVAILABLE, "grpc-retry-pushback-ms", "7");
    assertThat(it.after(6).count()).isEqualTo(1);
    assertThat(it.after(1).count()).isEqualTo(2);
    it.latest().close(Status.UNAVAILABLE, "grpc-retry-pushback-ms", "-1");
    assertThat(it.heard).containsExactly("close UNAVAILABLE");
  }

  @Test
  void laterAttemptsSayHowManyThereWereBefore() {
    it.unary().latest().close(Status.UNAVAILABLE);
    it.after(100).latest().close(Status.UNAVAILABLE);
    it.after(150);
    assertThat(it.attempts.all)
        .extracting(attempt -> attempt.header("grpc-previous-rpc-attempts"))
        .containsExactly(null, "1", "2");
    assertThat(it.attempts.all).extracting(attempt -> attempt.header("own")).containsOnly("yes");
    assertThat(it.attempts.all.get(0).headers).isNotSameAs(it.attempts.all.get(1).headers);
  }

  @Test
  void failureAfterTheResponseBeganEndsTheCall() {
    it.unary().latest().onHeaders();
    it.latest().close(Status.UNAVAILABLE, "grpc-retry-pushback-ms", "0");
    it.after(10_000);
    assertThat(it.count()).isEqualTo(1);
    assertThat(it.heard).containsExactly("headers", "close UNAVAILABLE");
  }

  @Test
  void whatABalancerDropsIsNotTriedAgain() {
    it.unary();
    DropMark.onDrop(it.latest().options);
    it.latest().close(Status.UNAVAILABLE.withDescription("dropped"));
    assertThat(it.heard).containsExactly("close UNAVAILABLE");
    DropMark.onDrop(CallOptions.DEFAULT); // of no meaning to others
  }

  @Test
  void deadlineOfTheCallIsForAllAttemptsTogether() {
    it.options = CallOptions.DEFAULT.withDeadline(it.deadline(700));
    it.timeout = Tried.millis(900);
    it.unary();
    assertThat(it.latest().options.getDeadline()).isEqualTo(it.deadline(700));
    it.after(600);
    assertThat(it.latest().options.getDeadline()).isEqualTo(it.deadline(100));
    it.codes = EnumSet.of(RetryableCode.DEADLINE_EXCEEDED);
    it.after(100).latest().close(Status.DEADLINE_EXCEEDED.withDescription("of the call"));
    assertThat(it.status().getDescription()).isEqualTo("of the call");
    assertThat(it.after(10_000).count()).isEqualTo(2);
  }

  @Test
  void timeoutOfTheRouteIsForAllAttemptsTogether() {
    it.options = CallOptions.DEFAULT.withDeadline(it.deadline(900));
    it.timeout = Tried.millis(700);
    it.unary().after(600);
    assertThat(it.count()).isEqualTo(2);
    assertThat(it.latest().options.getDeadline()).isEqualTo(it.deadline(100));
  }

  @Test
  void deadlineThatComesWhileWaitingEndsTheCallThen() {
    it.options = CallOptions.DEFAULT.withDeadline(it.deadline(50));
    it.unary().latest().close(Status.UNAVAILABLE.withDescription("busy"));
    assertThat(it.after(49).heard).isEmpty();
    it.after(1);
    assertThat(it.status().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(it.status().getDescription())
        .isEqualTo(
            "deadline exceeded while waiting to try again; attempt 1 of 3: UNAVAILABLE: busy");
    assertThat(it.after(10_000).count()).isEqualTo(1);
  }

  @Test
  void serversOwnDeadlineExceededIsRetriedOnlyIfThePolicySaysSo() {
    it.unary().latest().close(Status.DEADLINE_EXCEEDED);
    assertThat(it.heard).containsExactly("close DEADLINE_EXCEEDED");

    Tried other = new Tried();
    other.codes = EnumSet.of(RetryableCode.DEADLINE_EXCEEDED);
    other.unary().latest().close(Status.DEADLINE_EXCEEDED);
    assertThat(other.after(100).count()).isEqualTo(2);
  }
}
