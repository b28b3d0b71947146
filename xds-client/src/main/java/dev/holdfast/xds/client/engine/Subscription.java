// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import com.google.protobuf.ByteString;
import dev.holdfast.base.Problem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One resource on one connection: what the server has been asked and what it has answered. */
final class Subscription<T> {
  final Entry<T> entry;

  /**
   * Bytes that were refused, so that the same bytes need not be decoded again to be refused again.
   */
  @Nullable Rejected rejected;

  /** The last response that spoke of this resource. */
  long mentionedIn;

  // This stream.

  /** Whether a request that names the resource was handed to the transport. */
  boolean sent;

  /**
   * Whether the server has said anything of the resource, or need not any more: then no timer
   * starts.
   */
  boolean answered;

  ResourceTimers.@Nullable Batch timer;

  Subscription(Entry<T> entry) {
    this.entry = entry;
  }

  void forgetStream() {
    sent = false;
    answered = false;
    timer = null;
  }

  record Rejected(ByteString bytes, List<Problem> problems) {}
}
