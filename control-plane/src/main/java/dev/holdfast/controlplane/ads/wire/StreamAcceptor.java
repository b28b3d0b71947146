// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import dev.holdfast.base.Loop;
import dev.holdfast.base.TimeSource;
import dev.holdfast.controlplane.snapshot.ResourceType;
import org.jspecify.annotations.Nullable;

/** Takes the xDS streams that proxies open. */
public interface StreamAcceptor {
  /** The loop that the acceptor and the handlers of its streams run on. */
  Loop loop();

  TimeSource time();

  AdsLimits limits();

  RefusalCounts refusals();

  /**
   * A proxy opened a stream. Called on the loop.
   *
   * @param sink takes the responses of the stream
   * @param only the type of a stream that carries no other; null for an aggregated stream
   */
  StreamHandler open(ResponseSink sink, Protocol protocol, @Nullable ResourceType only);
}
