// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.routing;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/** A channel whose one call becomes what the test makes of it. */
final class FakeCalls extends Channel {
  private @Nullable CallOptions options;
  private ClientCall.@Nullable Listener<?> listener;

  CallOptions options() {
    if (options == null) {
      throw new AssertionError("no call");
    }
    return options;
  }

  void headers() {
    listener().onHeaders(new Metadata());
  }

  void close() {
    listener().onClose(Status.OK, new Metadata());
  }

  private ClientCall.Listener<?> listener() {
    if (listener == null) {
      throw new AssertionError("call not started");
    }
    return listener;
  }

  @Override
  public <Q, S> ClientCall<Q, S> newCall(MethodDescriptor<Q, S> method, CallOptions options) {
    this.options = options;
    return new ClientCall<>() {
      @Override
      public void start(Listener<S> responses, Metadata headers) {
        listener = responses;
      }

      @Override
      public void request(int count) {}

      @Override
      public void cancel(@Nullable String message, @Nullable Throwable cause) {}

      @Override
      public void halfClose() {}

      @Override
      public void sendMessage(Q message) {}
    };
  }

  @Override
  public String authority() {
    return "svc";
  }
}
