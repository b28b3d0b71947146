// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import com.google.protobuf.ByteString;

/** Takes the responses of one stream. Used on the loop only. */
public interface ResponseSink {
  /** Whether a response would be written now rather than queued. */
  boolean isReady();

  /** Sends a serialised response. */
  void send(ByteString response);

  /** The proxy's network address, for display. */
  String address();
}
