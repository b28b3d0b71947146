// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.retry;

import io.grpc.Attributes;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A call that is made of attempts, one at a time. Between attempts it waits; it ends with the last
 * attempt, or while it waits when it is cancelled or out of time. Thread-safe.
 *
 * <p>Callbacks of the application are called by the callbacks of attempts, so that the channel
 * serializes them, or else, while there is no attempt, on the executor of the call.
 */
final class RetryingCall<Q, S> extends ClientCall<Q, S> {
  /** How much is kept for another attempt, in bytes; the same as in gRPC's own retries. */
  static final long BUFFER_LIMIT = 1 << 20;

  private final RouteRetries rules;
  private final Target<Q, S> target;
  private final Executor executor;
  private final Context context = Context.current();
  private final Context.CancellationListener onContextCancelled = this::contextCancelled;
  private final Outbound<Q> outbound = new Outbound<>();
  private final Metadata headers = new Metadata();
  private Listener<S> listener = new Listener<>() {}; // until the call is started

  // Guarded by this.
  private final RetryDecisions decisions;
  private @Nullable Attempt<Q, S> current;
  private @Nullable ScheduledFuture<?> wait;
  private @Nullable Status cancelled;
  private int attempts;
  private boolean complete;
  private boolean committed;
  private boolean ended;

  /** What each attempt is made from. */
  record Target<Q, S>(MethodDescriptor<Q, S> method, CallOptions options, Channel next) {}

  RetryingCall(RouteRetries rules, Target<Q, S> target) {
    this.rules = rules;
    this.target = target;
    Executor given = target.options().getExecutor();
    executor = given == null ? Runnable::run : given; // channels always give theirs
    decisions = new RetryDecisions(rules);
  }

  @Override
  public void start(Listener<S> responses, Metadata sent) {
    listener = responses;
    headers.merge(sent);
    Status early;
    synchronized (this) {
      early = cancelled;
    }
    context.addListener(onContextCancelled, Runnable::run);
    if (early == null) {
      tryOnce();
    } else {
      endOutside(early);
    }
  }

  private void tryOnce() {
    Attempt<Q, S> attempt;
    synchronized (this) {
      if (ended) {
        return;
      }
      wait = null;
      attempts++;
      attempt = new Attempt<>(this, rules, attempts, complete);
      current = attempt;
    }
    outbound.replayOn(attempt.number(), attempt.start(target, headers));
  }

  private void tryAgain() {
    try {
      tryOnce();
    } catch (RuntimeException e) { // a marshaller of the application, say
      cancel("cannot be tried again", e);
      endOutside(Status.CANCELLED.withDescription("cannot be tried again").withCause(e));
    }
  }

  /** An attempt ended before the response began. */
  void onFailure(Attempt<Q, S> attempt, Status status, Metadata trailers) {
    Status outcome = attempt.timedOut() ? timedOut(attempt) : status;
    synchronized (this) {
      long delay = delayAfter(attempt, status, trailers);
      if (delay != RetryDecisions.NEVER && waitFor(delay, outcome)) {
        current = null;
        outbound.pause(attempt.number());
        return;
      }
    }
    onClose(outcome, trailers);
  }

  private long delayAfter(Attempt<Q, S> attempt, Status status, Metadata trailers) {
    Deadline deadline = target.options().getDeadline();
    if (ended
        || committed
        || cancelled != null
        || attempt.dropped()
        || context.isCancelled()
        || (deadline != null && deadline.isExpired())) {
      return RetryDecisions.NEVER;
    }
    return attempt.timedOut()
        ? decisions.afterTimeout(attempt.number())
        : decisions.afterFailure(attempt.number(), status, trailers);
  }

  /** False if the channel is done for. */
  private boolean waitFor(long delay, Status last) {
    Deadline deadline = target.options().getDeadline();
    long left = deadline == null ? Long.MAX_VALUE : deadline.timeRemaining(TimeUnit.NANOSECONDS);
    wait =
        left > delay
            ? rules.channel().schedule(() -> runOutside(this::tryAgain), delay)
            : rules.channel().schedule(() -> endOutside(outOfTime(last)), left);
    return wait != null;
  }

  private Status outOfTime(Status last) {
    return Status.DEADLINE_EXCEEDED.withDescription(
        "deadline exceeded while waiting to try again; attempt "
            + attempts
            + " of "
            + rules.maxAttempts()
            + ": "
            + last.getCode()
            + (last.getDescription() == null ? "" : ": " + last.getDescription()));
  }

  /** How an attempt ended that took too long; what else ended the call goes first. */
  private synchronized Status timedOut(Attempt<Q, S> attempt) {
    if (cancelled != null) {
      return cancelled;
    }
    if (context.isCancelled()) {
      return Contexts.statusFromCancelled(context);
    }
    return Status.DEADLINE_EXCEEDED.withDescription(
        "attempt "
            + attempt.number()
            + " of "
            + rules.maxAttempts()
            + ": no response within the per-try timeout of "
            + rules.perTryText()
            + (committed ? ", and too much was sent to send it again" : "")
            + " (expected: endpoints that answer sooner, or a longer per_try_timeout in the"
            + " retry_policy of the route)");
  }

  private void contextCancelled(Context why) {
    synchronized (this) {
      if (current != null) {
        return; // the attempt sees to it
      }
    }
    endOutside(Contexts.statusFromCancelled(why));
  }

  /** Ends the call while there is no attempt that would. */
  private void endOutside(Status status) {
    if (end()) {
      runOutside(() -> listener.onClose(status, new Metadata()));
    }
  }

  private void runOutside(Runnable task) {
    Runnable inContext = context.wrap(task);
    try {
      executor.execute(inContext);
    } catch (RejectedExecutionException e) { // the application shut its executor down
      inContext.run();
    }
  }

  /** False if it has ended already. */
  private boolean end() {
    synchronized (this) {
      if (ended) {
        return false;
      }
      ended = true;
      current = null;
      if (wait != null) {
        wait.cancel(false);
        wait = null;
      }
    }
    context.removeListener(onContextCancelled);
    outbound.close();
    return true;
  }

  /** There will be no other attempt. */
  void commit() {
    synchronized (this) {
      committed = true;
    }
    outbound.commit();
  }

  /** The response begins; false if nobody wants it any more. */
  boolean onHeaders(Metadata received) {
    synchronized (this) {
      if (ended) {
        return false;
      }
    }
    commit();
    listener.onHeaders(received);
    return true;
  }

  void onMessage(S message) {
    listener.onMessage(message);
  }

  void onReady() {
    synchronized (this) {
      if (ended) {
        return;
      }
    }
    listener.onReady();
  }

  void onClose(Status status, Metadata trailers) {
    if (end()) {
      listener.onClose(status, trailers);
    }
  }

  @Override
  public void cancel(@Nullable String message, @Nullable Throwable cause) {
    Attempt<Q, S> attempt;
    Status status =
        Status.CANCELLED
            .withDescription(message == null ? "Call cancelled without message" : message)
            .withCause(cause);
    synchronized (this) {
      if (ended || cancelled != null) {
        return;
      }
      cancelled = status;
      attempt = current;
      if (attempts == 0) {
        return; // not started
      }
    }
    if (attempt == null) {
      endOutside(status);
    } else {
      attempt.cancel(message, cause);
    }
  }

  @Override
  public void request(int count) {
    outbound.add(call -> call.request(count));
  }

  @Override
  public void sendMessage(Q message) {
    outbound.add(call -> call.sendMessage(message));
  }

  @Override
  public void setMessageCompression(boolean enabled) {
    outbound.add(call -> call.setMessageCompression(enabled));
  }

  @Override
  public void halfClose() {
    Attempt<Q, S> attempt;
    synchronized (this) {
      complete = true;
      attempt = current;
    }
    outbound.add(ClientCall::halfClose);
    if (attempt != null) {
      attempt.complete();
    }
  }

  @Override
  public boolean isReady() {
    ClientCall<Q, S> call = currentCall();
    return call != null && call.isReady();
  }

  @Override
  public Attributes getAttributes() {
    ClientCall<Q, S> call = currentCall();
    return call == null ? Attributes.EMPTY : call.getAttributes();
  }

  private @Nullable ClientCall<Q, S> currentCall() {
    Attempt<Q, S> attempt;
    synchronized (this) {
      attempt = current;
    }
    return attempt == null ? null : attempt.call();
  }
}
