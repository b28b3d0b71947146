// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.transport;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.grpc.Status;

/**
 * A connection to one xDS server that can carry aggregated discovery streams, one at a time.
 *
 * <p>All methods are called from the engine's loop and must not block. Listeners may be called from
 * any thread; the engine puts itself onto its loop.
 */
public interface XdsTransport {
  /**
   * Starts a stream. Listener calls must be ordered, and {@link StreamListener#onClosed} is the
   * last.
   */
  Stream open(AdsProtocol protocol, StreamListener listener);

  /** Releases the connection and everything on it. */
  void close();

  /**
   * Skips any waiting between connection attempts: somebody has reason to believe the network is
   * back.
   */
  default void resetBackoff() {}

  /** The health of the connection, from transports that can tell. */
  interface Listener {
    /** The connection cannot be made or was lost; {@code cause} says why. May be repeated. */
    void onTransientFailure(Status cause);

    /** The connection is up (again): a stream that is started now has a good chance. */
    void onConnected();
  }

  /** One aggregated discovery stream. */
  interface Stream {
    /**
     * Sends a request. The engine has at most one request under way: it calls this again only after
     * {@link StreamListener#onSent}.
     */
    void send(Message request);

    /** Allows one more response to be delivered. Nothing is delivered unasked. */
    void requestNext();

    /** Ends the stream from this side. No listener call follows. */
    void cancel(String reason);
  }

  /** The events of one stream. */
  interface StreamListener {
    /**
     * The request given to {@link Stream#send} has left: the stream runs on a connected transport
     * and the request is on its way, not waiting in a queue of this process. Resource timers start
     * here (gRFC A57).
     */
    void onSent();

    /**
     * A serialized {@code DiscoveryResponse} or {@code DeltaDiscoveryResponse}, as the stream's
     * protocol says. Bytes, because most of a response is usually what the engine already has, and
     * what it has it need not parse.
     */
    void onResponse(ByteString response);

    /** The stream has ended; {@link Status#OK} if the server closed it in good order. */
    void onClosed(Status status);
  }
}
