// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit;

import com.google.protobuf.Message;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.function.Predicate;

/**
 * The server's end of one aggregated discovery stream, in the hands of a test: nothing is sent but
 * what the test sends.
 *
 * @param <Q> the requests
 * @param <S> the responses
 */
public final class FakeStream<Q extends Message, S extends Message> {
  private final ServerCallStreamObserver<S> call;
  private final Recorder<Q> requests = new Recorder<>("request");
  private final Recorder<String> ends = new Recorder<>("end of stream");

  FakeStream(StreamObserver<S> responses) {
    call = (ServerCallStreamObserver<S>) responses;
    call.setOnCancelHandler(() -> ends.add("cancelled"));
  }

  /** The next request that was not read yet, waiting for it if need be. */
  public Q awaitRequest() {
    return requests.next();
  }

  /** The next request that fits, waiting for it if need be; those before it count as read. */
  public Q awaitRequest(Predicate<? super Q> fits) {
    return requests.next(fits);
  }

  /** Waits until the requests so far, read or not, are as wanted; none of them counts as read. */
  public List<Q> awaitRequests(Predicate<? super List<Q>> wanted) {
    return requests.awaitAll(wanted);
  }

  /** All requests so far, read or not. */
  public List<Q> requests() {
    return requests.all();
  }

  /** Requests so far that were not read. */
  public List<Q> unreadRequests() {
    return requests.unread();
  }

  /** Sends a response. */
  public void send(S response) {
    synchronized (call) {
      call.onNext(response);
    }
  }

  /** Ends the stream; {@link Status#OK} to end it in good order. */
  public void close(Status status) {
    synchronized (call) {
      if (status.isOk()) {
        call.onCompleted();
      } else {
        call.onError(status.asRuntimeException());
      }
    }
  }

  /**
   * Waits until the client has ended the stream or is gone.
   *
   * @return {@code "cancelled"} or {@code "half-closed"}
   */
  public String awaitEnd() {
    return ends.next();
  }

  StreamObserver<Q> inbound() {
    return new StreamObserver<>() {
      @Override
      public void onNext(Q request) {
        requests.add(request);
      }

      @Override
      public void onError(Throwable t) {
        // The cancellation handler has seen it.
      }

      @Override
      public void onCompleted() {
        ends.add("half-closed");
      }
    };
  }
}
