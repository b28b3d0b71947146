// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.filter;

import dev.holdfast.testkit.ManualScheduler;
import dev.holdfast.testkit.ManualTime;
import dev.holdfast.testkit.TextMarshaller;
import dev.holdfast.xds.resources.filter.FaultAbort;
import dev.holdfast.xds.resources.filter.FaultDelay;
import dev.holdfast.xds.resources.filter.FaultShare;
import dev.holdfast.xds.resources.filter.FilterConfig;
import dev.holdfast.xds.resources.listener.HttpFilter;
import io.grpc.Attributes;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Calls through a fault filter, on a manual clock and with chance decided beforehand. */
final class Faulty {
  static final FaultShare ALL = new FaultShare(100, 10_000);

  final ManualTime time = new ManualTime();
  final ActiveFaults faults = new ActiveFaults();

  /** What is drawn next; a draw that the test does not expect fails it. */
  final Deque<Long> random = new ArrayDeque<>();

  @Nullable FaultDelay delay;
  @Nullable FaultAbort abort;
  long maxActive = FilterConfig.Fault.UNLIMITED;
  Duration timeout = Duration.ZERO;
  CallOptions options = CallOptions.DEFAULT;

  private final Deadline.Ticker ticker =
      new Deadline.Ticker() {
        @Override
        public long nanoTime() {
          return time.nanoTime();
        }
      };

  static FaultDelay delayed(Duration fixed) {
    return new FaultDelay(fixed, ALL);
  }

  static FaultAbort aborted(int grpcStatus) {
    return new FaultAbort(new FaultAbort.GrpcStatus(grpcStatus), ALL);
  }

  Deadline deadline(Duration in) {
    return Deadline.after(in.toNanos(), TimeUnit.NANOSECONDS, ticker);
  }

  @Nullable FilterChain chain() {
    return new ClientFilters(
            new FilterEnvironment(() -> new ManualScheduler(time), ticker, this::draw, faults))
        .chain(
            List.of(
                new HttpFilter("f", new FilterConfig.Fault(delay, abort, maxActive)),
                new HttpFilter("router", new FilterConfig.Router())),
            List.of(),
            timeout);
  }

  private long draw(long bound) {
    Long next = random.poll();
    if (next == null) {
      throw new AssertionError("a draw out of " + bound);
    }
    return next;
  }

  /** A call with headers, names and values in turns. */
  Call start(String... headers) {
    FilterChain chain = chain();
    Below below = new Below();
    Call call = new Call(below);
    ClientCall<String, String> made =
        chain == null ? below.newCall(method(), options) : chain.newCall(method(), options, below);
    call.begin(made, headers(headers));
    return call;
  }

  static Metadata headers(String... headers) {
    Metadata metadata = new Metadata();
    for (int i = 0; i < headers.length; i += 2) {
      metadata.put(Metadata.Key.of(headers[i], Metadata.ASCII_STRING_MARSHALLER), headers[i + 1]);
    }
    return metadata;
  }

  private static MethodDescriptor<String, String> method() {
    return MethodDescriptor.<String, String>newBuilder()
        .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
        .setFullMethodName("S/M")
        .setRequestMarshaller(new TextMarshaller())
        .setResponseMarshaller(new TextMarshaller())
        .build();
  }

  /** What the application sees. */
  static final class Call extends ClientCall.Listener<String> {
    final Below below;
    private @Nullable ClientCall<String, String> call;
    private @Nullable Status status;

    Call(Below below) {
      this.below = below;
    }

    private void begin(ClientCall<String, String> made, Metadata headers) {
      call = made;
      made.start(this, headers);
    }

    ClientCall<String, String> call() {
      if (call == null) {
        throw new AssertionError("no call");
      }
      return call;
    }

    boolean ended() {
      return status != null;
    }

    Status status() {
      if (status == null) {
        throw new AssertionError("not ended");
      }
      return status;
    }

    @Override
    public void onClose(Status closed, Metadata trailers) {
      if (status != null) {
        throw new AssertionError("ended twice: " + status + ", " + closed);
      }
      status = closed;
    }
  }

  /** The channel below the filter. */
  static final class Below extends Channel {
    /** What was done with the call that arrived, in order; empty if none has. */
    final List<String> steps = new ArrayList<>();

    CallOptions options = CallOptions.DEFAULT;
    ClientCall.@Nullable Listener<?> listener;

    boolean reached() {
      return !steps.isEmpty();
    }

    void close(Status status) {
      if (listener == null) {
        throw new AssertionError("not started");
      }
      listener.onClose(status, new Metadata());
    }

    @Override
    public <Q, S> ClientCall<Q, S> newCall(MethodDescriptor<Q, S> method, CallOptions made) {
      options = made;
      return new ClientCall<>() {
        @Override
        public void start(Listener<S> responses, Metadata headers) {
          steps.add("start");
          listener = responses;
        }

        @Override
        public void request(int count) {
          steps.add("request " + count);
        }

        @Override
        public void cancel(@Nullable String message, @Nullable Throwable cause) {
          steps.add("cancel " + message);
        }

        @Override
        public void halfClose() {
          steps.add("halfClose");
        }

        @Override
        public void sendMessage(Q message) {
          steps.add("send " + message);
        }

        @Override
        public void setMessageCompression(boolean enabled) {
          steps.add("compression " + enabled);
        }

        @Override
        public boolean isReady() {
          return true;
        }

        @Override
        public Attributes getAttributes() {
          return Attributes.EMPTY;
        }
      };
    }

    @Override
    public String authority() {
      return "svc";
    }
  }
}
