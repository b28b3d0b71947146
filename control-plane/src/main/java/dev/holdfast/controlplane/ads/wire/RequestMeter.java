// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Counts the bytes of a request while it is received: gRPC collects a message before it hands it
 * over, and a client may send parts of many messages and never an end.
 */
public final class RequestMeter extends ServerStreamTracer {
  private static final Context.Key<RequestMeter> KEY =
      Context.key("dev.holdfast.controlplane.ads.wire.RequestMeter");

  private volatile @Nullable Listener listener;

  /** Takes the number of bytes that arrived, on the thread that reads from the network. */
  interface Listener {
    void received(long bytes);

    /** gRPC refused a request because of its size. */
    void tooLarge();
  }

  /** Makes a meter for each stream. */
  public static ServerStreamTracer.Factory factory() {
    return new ServerStreamTracer.Factory() {
      @Override
      public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
        return new RequestMeter();
      }
    };
  }

  /** The meter of the call that is being started; null if the server has none. */
  static @Nullable RequestMeter current() {
    return KEY.get();
  }

  @Override
  public Context filterContext(Context context) {
    return context.withValue(KEY, this);
  }

  void listen(Listener next) {
    listener = next;
  }

  /** gRPC ends a stream by itself if a request is larger than the server reads. */
  @Override
  public void streamClosed(Status status) {
    Listener now = listener;
    String description = status.getDescription();
    if (now != null
        && status.getCode() == Status.Code.RESOURCE_EXHAUSTED
        && description != null
        && description.contains("exceeds maximum size")) {
      now.tooLarge();
    }
  }

  @Override
  public void inboundWireSize(long bytes) {
    Listener now = listener;
    if (now != null) {
      now.received(bytes);
    }
  }
}
