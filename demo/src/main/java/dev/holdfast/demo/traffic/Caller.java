// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.traffic;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** Makes calls on a channel. */
public final class Caller implements AutoCloseable {
  /** The header that scripts write. */
  public static final String MARK = "x-mark";

  /** Long enough for any machine; a call that takes longer has failed. */
  private static final int DEADLINE_SECONDS = 20;

  private static final Metadata.Key<String> MARK_KEY =
      Metadata.Key.of(MARK, Metadata.ASCII_STRING_MARSHALLER);

  private final ManagedChannel channel;

  public Caller(ManagedChannel channel) {
    this.channel = channel;
  }

  /**
   * Calls a service.
   *
   * @param outcome told once, with an empty answer if the call failed
   */
  public void call(String service, BiConsumer<Status, CallResult> outcome) {
    ClientCall<String, String> call =
        channel.newCall(
            TextMessages.method(service + "/Get"),
            CallOptions.DEFAULT.withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS));
    call.start(new Listening(outcome), new Metadata());
    call.request(1);
    call.sendMessage("");
    call.halfClose();
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }

  private static final class Listening extends ClientCall.Listener<String> {
    private final BiConsumer<Status, CallResult> outcome;
    private String mark = "";
    private String backend = "";

    Listening(BiConsumer<Status, CallResult> outcome) {
      this.outcome = outcome;
    }

    @Override
    public void onHeaders(Metadata headers) {
      mark = Objects.requireNonNullElse(headers.get(MARK_KEY), "");
    }

    @Override
    public void onMessage(String message) {
      backend = message;
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      outcome.accept(status, new CallResult(backend, mark));
    }
  }
}
