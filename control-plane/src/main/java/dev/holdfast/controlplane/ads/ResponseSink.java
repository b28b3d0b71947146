// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import com.google.protobuf.ByteString;

/** The other end of a stream: one stream. Used from the loop only. */
interface ResponseSink {
  /** Whether a response would go out rather than pile up. */
  boolean isReady();

  /** Sends a serialised response. */
  void send(ByteString response);

  /** Where the stream comes from, for people. */
  String address();
}
