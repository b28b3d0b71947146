// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import com.google.protobuf.Message;

/** How a {@link FakeEnvoy} reaches its server: gRPC, or whatever a simulation puts in its place. */
public interface AdsTransport {
  /** Opens an aggregated stream, SotW or Delta. */
  Stream open(boolean delta, Receiver receiver);

  /** The client's end of a stream. Requests are of the stream's variant. */
  interface Stream {
    void send(Message request);

    void cancel();
  }

  /** Hears what the server says; on any thread, one call at a time. */
  interface Receiver {
    void onResponse(Message response);

    /** The stream is over, for whatever reason. */
    void onEnd();
  }
}
