// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import com.google.protobuf.ByteString;
import dev.holdfast.controlplane.ads.access.ClientNames;
import io.grpc.Status;

/** Takes the responses of one stream. Used on the loop only. */
public interface ResponseSink {
  /** Whether a response would be written now rather than queued. */
  boolean isReady();

  /** Sends a serialised response. */
  void send(ByteString response);

  /** Ends the stream. Its handler is told, as of any other end. */
  void end(Status status);

  /** The proxy's network address, for display. */
  String address();

  /** The names in the certificate that the proxy has shown. */
  default ClientNames client() {
    return ClientNames.NONE;
  }
}
