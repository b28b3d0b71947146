// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import dev.holdfast.interop.serve.relay.Bytes;
import io.envoyproxy.envoy.service.discovery.v3.AggregatedDiscoveryServiceGrpc;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** An ADS stream of bytes: says whatever it is told to, protobuf or not. */
final class RawStream {
  private static final long PATIENCE_SECONDS = 60;

  private final ClientCall<byte[], byte[]> call;
  private final LinkedBlockingQueue<byte[]> responses = new LinkedBlockingQueue<>();
  private final CompletableFuture<Status> end = new CompletableFuture<>();

  private RawStream(ManagedChannel channel, boolean delta, boolean reads) {
    call =
        channel.newCall(
            Bytes.raw(
                delta
                    ? AggregatedDiscoveryServiceGrpc.getDeltaAggregatedResourcesMethod()
                    : AggregatedDiscoveryServiceGrpc.getStreamAggregatedResourcesMethod()),
            CallOptions.DEFAULT);
    call.start(
        new ClientCall.Listener<byte[]>() {
          @Override
          public void onMessage(byte[] message) {
            responses.add(message);
            call.request(1);
          }

          @Override
          public void onClose(Status status, Metadata trailers) {
            end.complete(status);
          }
        },
        new Metadata());
    if (reads) {
      call.request(1);
    }
  }

  static RawStream open(ManagedChannel channel, boolean delta) {
    return new RawStream(channel, delta, /* reads= */ true);
  }

  /** One whose other end is never told that there is room for a response. */
  static RawStream deaf(ManagedChannel channel, boolean delta) {
    return new RawStream(channel, delta, /* reads= */ false);
  }

  RawStream send(byte[] message) {
    call.sendMessage(message);
    return this;
  }

  /** The next response; null if there is none for so long. */
  byte @Nullable [] poll(long millis) {
    try {
      return responses.poll(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  byte[] next() {
    byte[] response = poll(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
    if (response == null) {
      throw new AssertionError("no response; the stream " + end);
    }
    return response;
  }

  /** How many responses wait to be looked at. */
  int waiting() {
    return responses.size();
  }

  /** How the server ended it. */
  Status end() throws Exception {
    return end.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  void drop() {
    call.cancel("dropped", null);
  }
}
