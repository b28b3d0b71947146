// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.retry;

import dev.holdfast.testkit.ManualScheduler;
import dev.holdfast.testkit.ManualTime;
import dev.holdfast.xds.resources.route.RetryPolicy;
import dev.holdfast.xds.resources.route.RetryableCode;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One call on a manual clock: 3 attempts of half a second each, with backoffs of 100 ms and then
 * 150 ms, on UNAVAILABLE, unless the test says otherwise.
 */
final class Tried {
  final ManualTime time = new ManualTime();
  final FakeAttempts attempts = new FakeAttempts();
  final Deque<Double> random = new ArrayDeque<>();

  /** What the application heard of, in order. */
  final List<String> heard = new ArrayList<>();

  Set<RetryableCode> codes = EnumSet.of(RetryableCode.UNAVAILABLE);
  int maxAttempts = 3;
  Duration timeout = Duration.ZERO;
  CallOptions options = CallOptions.DEFAULT;

  private final Deadline.Ticker ticker =
      new Deadline.Ticker() {
        @Override
        public long nanoTime() {
          return time.nanoTime();
        }
      };
  private @Nullable ClientCall<String, String> call;
  private @Nullable Status status;

  RouteRetries rules() {
    TimedRetries channel =
        new TimedRetries(
            () -> new ManualScheduler(time),
            ticker,
            () -> {
              Double next = random.poll();
              return next == null ? 0.5 : next;
            });
    return channel.route(
        new RetryPolicy(
            codes, maxAttempts, Duration.ofMillis(100), Duration.ofMillis(150), millis(500)),
        timeout);
  }

  static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }

  Deadline deadline(long millis) {
    return deadlineAfter(millis(millis));
  }

  Deadline deadlineAfter(Duration duration) {
    return Deadline.after(duration.toNanos(), TimeUnit.NANOSECONDS, ticker);
  }

  /** The call; started only by {@link #start}. */
  ClientCall<String, String> call() {
    if (call == null) {
      call = rules().newCall(method(), options, attempts);
    }
    return call;
  }

  Tried start() {
    Metadata headers = new Metadata();
    headers.put(Metadata.Key.of("own", Metadata.ASCII_STRING_MARSHALLER), "yes");
    call().start(new Heard(), headers);
    return this;
  }

  /** Starts a call with one message. */
  Tried unary() {
    start();
    call().request(2);
    call().sendMessage("q");
    call().halfClose();
    return this;
  }

  Tried after(long millis) {
    time.advance(millis(millis));
    return this;
  }

  boolean ended() {
    return status != null;
  }

  /** How the call ended. */
  Status status() {
    if (status == null) {
      throw new AssertionError("not ended");
    }
    return status;
  }

  FakeAttempt latest() {
    return attempts.latest();
  }

  int count() {
    return attempts.all.size();
  }

  private final class Heard extends ClientCall.Listener<String> {
    @Override
    public void onHeaders(Metadata headers) {
      heard.add("headers");
    }

    @Override
    public void onMessage(String message) {
      heard.add("message " + message);
    }

    @Override
    public void onReady() {
      heard.add("ready");
    }

    @Override
    public void onClose(Status closed, Metadata trailers) {
      heard.add("close " + closed.getCode());
      status = closed;
    }
  }

  static MethodDescriptor<String, String> method() {
    return MethodDescriptor.<String, String>newBuilder()
        .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
        .setFullMethodName("S/M")
        .setRequestMarshaller(new Never())
        .setResponseMarshaller(new Never())
        .build();
  }

  private static final class Never implements MethodDescriptor.Marshaller<String> {
    @Override
    public InputStream stream(String value) {
      return new ByteArrayInputStream(new byte[0]);
    }

    @Override
    public String parse(InputStream stream) {
      return "";
    }
  }
}
