// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.retry;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.MethodDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A channel whose calls, the attempts, become what the test makes of them. */
final class FakeAttempts extends Channel {
  final List<FakeAttempt> all = new ArrayList<>();

  /** Whether attempts have a connection as soon as they start. */
  boolean connecting = true;

  /** Told of each attempt that starts. */
  Consumer<FakeAttempt> onStart = attempt -> {};

  FakeAttempt latest() {
    return all.get(all.size() - 1);
  }

  @Override
  @SuppressWarnings("unchecked") // there are only calls of texts
  public <Q, S> ClientCall<Q, S> newCall(MethodDescriptor<Q, S> method, CallOptions options) {
    FakeAttempt attempt = new FakeAttempt(options, connecting, onStart);
    all.add(attempt);
    return (ClientCall<Q, S>) attempt;
  }

  @Override
  public String authority() {
    return "svc";
  }
}
