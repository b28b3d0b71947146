// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import dev.holdfast.base.TimeSource;

/**
 * What all streams of a server share on their way to the loop.
 *
 * @param inboxes one per connection thread
 * @param lane for large requests
 * @param quota counts streams
 * @param budget counts the bytes that wait
 */
record StreamIntake(
    StreamAcceptor acceptor,
    LoopInboxes inboxes,
    BulkLane lane,
    StreamQuota quota,
    InboundBudget budget) {
  static StreamIntake of(StreamAcceptor acceptor) {
    AdsLimits limits = acceptor.limits();
    return new StreamIntake(
        acceptor,
        new LoopInboxes(acceptor.loop()),
        new BulkLane(acceptor.loop(), acceptor.time()),
        new StreamQuota(limits, acceptor.time()),
        new InboundBudget(limits.waitingBytes()));
  }

  AdsLimits limits() {
    return acceptor.limits();
  }

  TimeSource time() {
    return acceptor.time();
  }
}
