// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.kit;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A channel whose calls a test answers. */
public final class FakeCalls extends Channel {
  private final List<Call<?, ?>> calls = new ArrayList<>();

  /** How many calls were ever begun. */
  public int count() {
    return calls.size();
  }

  /** The newest call. */
  public Call<?, ?> last() {
    return calls.get(calls.size() - 1);
  }

  @Override
  public <Q, S> ClientCall<Q, S> newCall(MethodDescriptor<Q, S> method, CallOptions options) {
    Call<Q, S> call = new Call<>(method.getFullMethodName());
    calls.add(call);
    return call;
  }

  @Override
  public String authority() {
    return "fake";
  }

  /** One call. */
  public static final class Call<Q, S> extends ClientCall<Q, S> {
    private final String method;
    private @Nullable Listener<S> listener;
    private @Nullable Q request;
    private boolean cancelled;
    private int wanted;

    Call(String method) {
      this.method = method;
    }

    public String method() {
      return method;
    }

    public Q request() {
      return Objects.requireNonNull(request, "nothing was sent");
    }

    public boolean isCancelled() {
      return cancelled;
    }

    @SuppressWarnings("unchecked") // the test knows what it is asked for
    public void answer(Object message) {
      if (wanted-- <= 0) {
        throw new AssertionError("nobody asked for another message");
      }
      listener().onMessage((S) message);
    }

    public void close(Status status) {
      listener().onClose(status, new Metadata());
    }

    private Listener<S> listener() {
      return Objects.requireNonNull(listener, "not started");
    }

    @Override
    public void start(Listener<S> newListener, Metadata headers) {
      listener = newListener;
    }

    @Override
    public void request(int messages) {
      wanted += messages;
    }

    @Override
    public void cancel(@Nullable String message, @Nullable Throwable cause) {
      cancelled = true;
    }

    @Override
    public void halfClose() {}

    @Override
    public void sendMessage(Q message) {
      request = message;
    }
  }
}
