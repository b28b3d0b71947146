// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.filter;

import io.grpc.Attributes;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Deadline;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A call that may get a fault when it starts: first the delay, then the abort, before anything is
 * sent (gRFC A33).
 *
 * <pre>
 *   NEW --start--&gt; PASSED                      no fault
 *    |               ^
 *    |  delay is over|
 *    +--start--&gt; DELAYED --cancelled, deadline, or abort after the delay--&gt; ENDED
 *    +--start--&gt; ENDED                         abort without a delay
 * </pre>
 *
 * What the application does with a call that is delayed is kept and done later, in order. A call
 * that is cancelled while it is delayed, or whose deadline comes, ends then.
 */
final class FaultCall<Q, S> extends ClientCall<Q, S> {
  private enum State {
    NEW,
    DELAYED,
    PASSED,
    ENDED
  }

  private final FaultInterceptor filter;
  private final Target<Q, S> target;
  private final Context context = Context.current();
  private final Executor executor;
  private final Context.CancellationListener onContextEnd = ended -> contextCancelled();

  // Guarded by this.
  private State state = State.NEW;
  private @Nullable List<Step<Q, S>> kept;
  private @Nullable Fault<S> fault;
  private @Nullable ScheduledFuture<?> timer;

  /** The call itself, once everything that was kept has been done on it. */
  private volatile @Nullable ClientCall<Q, S> passed;

  /** The call to make. */
  record Target<Q, S>(MethodDescriptor<Q, S> method, CallOptions options, Channel next) {
    ClientCall<Q, S> newCall(@Nullable Deadline deadline) {
      return next.newCall(method, deadline == null ? options : options.withDeadline(deadline));
    }
  }

  /** What is happening to a call that has started. */
  private record Fault<S>(
      Listener<S> listener,
      Metadata headers,
      long delayNanos,
      @Nullable Deadline deadline,
      @Nullable Status abort) {}

  private interface Step<Q, S> {
    void on(ClientCall<Q, S> call);
  }

  FaultCall(FaultInterceptor filter, Target<Q, S> target) {
    this.filter = filter;
    this.target = target;
    Executor own = target.options().getExecutor();
    executor = own == null ? Runnable::run : own;
  }

  @Override
  public void start(Listener<S> listener, Metadata headers) {
    FaultRules rules = filter.rules();
    long delay = rules.drawDelay(headers, filter.environment().random());
    Status abort = rules.drawAbort(headers, filter.environment().random());
    if ((delay == 0 && abort == null) || !filter.environment().faults().begin(rules.maxActive())) {
      pass(listener, headers);
      return;
    }
    Deadline deadline = filter.deadline(target.options());
    Fault<S> drawn = new Fault<>(listener, headers, delay, deadline, abort);
    if (delay == 0) {
      end(drawn, abort);
    } else {
      delay(drawn);
    }
  }

  private void pass(Listener<S> listener, Metadata headers) {
    ClientCall<Q, S> call = target.newCall(null);
    synchronized (this) {
      if (state == State.ENDED) {
        throw new IllegalStateException("call was cancelled");
      }
      state = State.PASSED;
      passed = call;
    }
    call.start(listener, headers);
  }

  private void delay(Fault<S> drawn) {
    long nanos = drawn.delayNanos();
    if (drawn.deadline() != null) {
      nanos = Math.min(nanos, Math.max(0, drawn.deadline().timeRemaining(TimeUnit.NANOSECONDS)));
    }
    synchronized (this) {
      if (state == State.ENDED) {
        filter.environment().faults().end();
        throw new IllegalStateException("call was cancelled");
      }
      state = State.DELAYED;
      kept = new ArrayList<>();
      fault = drawn;
    }
    ScheduledFuture<?> scheduled =
        filter.environment().schedule(() -> inCallContext(this::delayIsOver), nanos);
    if (scheduled == null) {
      inCallContext(this::delayIsOver); // the channel runs no timers any more
      return;
    }
    context.addListener(onContextEnd, Runnable::run);
    boolean over;
    synchronized (this) {
      timer = scheduled;
      over = state != State.DELAYED;
    }
    if (over) {
      scheduled.cancel(false);
      context.removeListener(onContextEnd);
    }
  }

  private void inCallContext(Runnable task) {
    executor.execute(context.wrap(task));
  }

  private void delayIsOver() {
    Fault<S> drawn;
    boolean late;
    synchronized (this) {
      drawn = fault;
      if (state != State.DELAYED || drawn == null) {
        return;
      }
      late = drawn.deadline() != null && drawn.deadline().isExpired();
      state = late || drawn.abort() != null ? State.ENDED : State.PASSED;
    }
    context.removeListener(onContextEnd);
    if (late) {
      close(drawn, Status.DEADLINE_EXCEEDED.withDescription("during " + described(drawn)));
    } else if (drawn.abort() != null) {
      close(drawn, drawn.abort());
    } else {
      filter.environment().faults().end();
      begin(drawn);
    }
  }

  private String described(Fault<S> drawn) {
    return "a delay of "
        + BigDecimal.valueOf(drawn.delayNanos(), 9).stripTrailingZeros().toPlainString()
        + " s by fault injection (filter "
        + filter.rules().filter()
        + ")";
  }

  /** Makes the call now, and does what the application has done with it meanwhile. */
  private void begin(Fault<S> drawn) {
    ClientCall<Q, S> call;
    try {
      call = target.newCall(drawn.deadline());
      call.start(new Explaining<>(drawn.listener(), "after " + described(drawn)), drawn.headers());
    } catch (RuntimeException e) { // nobody else is here to hear of it
      drawn.listener().onClose(Status.fromThrowable(e), new Metadata());
      return;
    }
    try {
      for (List<Step<Q, S>> steps = nextKept(call); !steps.isEmpty(); steps = nextKept(call)) {
        steps.forEach(step -> step.on(call));
      }
    } catch (RuntimeException e) { // misuse by the application, which is not here to know
      call.cancel("a step of the application failed", e);
      throw e;
    }
  }

  /** What is to be done next; nothing once the application can do it by itself. */
  private synchronized List<Step<Q, S>> nextKept(ClientCall<Q, S> call) {
    List<Step<Q, S>> steps = kept;
    if (steps == null || steps.isEmpty()) {
      kept = null;
      passed = call;
      return List.of();
    }
    kept = new ArrayList<>();
    return steps;
  }

  private void contextCancelled() {
    endDelayed(Contexts.statusFromCancelled(context));
  }

  @Override
  public void cancel(@Nullable String message, @Nullable Throwable cause) {
    ClientCall<Q, S> call = passed;
    if (call != null) {
      call.cancel(message, cause);
      return;
    }
    synchronized (this) {
      if (state == State.NEW) {
        state = State.ENDED;
      }
    }
    endDelayed(
        Status.CANCELLED
            .withDescription(message == null ? "Call cancelled without message" : message)
            .withCause(cause));
    doOrKeep(passing -> passing.cancel(message, cause));
  }

  /** Ends the call if it is delayed. */
  private void endDelayed(@Nullable Status status) {
    Fault<S> drawn;
    synchronized (this) {
      drawn = fault;
      if (state != State.DELAYED || drawn == null) {
        return;
      }
      state = State.ENDED;
      kept = null;
      if (timer != null) {
        timer.cancel(false);
      }
    }
    context.removeListener(onContextEnd);
    end(drawn, status);
  }

  private void end(Fault<S> drawn, @Nullable Status status) {
    synchronized (this) {
      state = State.ENDED;
    }
    inCallContext(() -> close(drawn, status == null ? Status.CANCELLED : status));
  }

  private void close(Fault<S> drawn, Status status) {
    try {
      drawn.listener().onClose(status, new Metadata());
    } finally {
      filter.environment().faults().end();
    }
  }

  /** Does something now, or as soon as there is a call to do it on; nothing after the end. */
  private void doOrKeep(Step<Q, S> step) {
    ClientCall<Q, S> call = passed;
    if (call == null) {
      synchronized (this) {
        if (kept != null) {
          kept.add(step);
        }
        call = passed;
        if (call == null || kept != null) {
          return;
        }
      }
    }
    step.on(call);
  }

  @Override
  public void request(int count) {
    doOrKeep(call -> call.request(count));
  }

  @Override
  public void sendMessage(Q message) {
    doOrKeep(call -> call.sendMessage(message));
  }

  @Override
  public void halfClose() {
    doOrKeep(ClientCall::halfClose);
  }

  @Override
  public void setMessageCompression(boolean enabled) {
    doOrKeep(call -> call.setMessageCompression(enabled));
  }

  @Override
  public boolean isReady() {
    ClientCall<Q, S> call = passed;
    return call != null && call.isReady();
  }

  @Override
  public Attributes getAttributes() {
    ClientCall<Q, S> call = passed;
    return call == null ? Attributes.EMPTY : call.getAttributes();
  }

  /** Says of a deadline that a delay has used some of the time. */
  private static final class Explaining<S> extends SimpleForwardingClientCallListener<S> {
    private final String text;

    Explaining(Listener<S> listener, String text) {
      super(listener);
      this.text = text;
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      delegate()
          .onClose(
              status.getCode() == Status.Code.DEADLINE_EXCEEDED
                  ? status.augmentDescription(text)
                  : status,
              trailers);
    }
  }
}
