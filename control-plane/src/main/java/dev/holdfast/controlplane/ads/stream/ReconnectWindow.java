// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import dev.holdfast.controlplane.snapshot.ResourceType;
import java.util.List;

/**
 * The time in which a reconnected Envoy names what it runs, type by type. Until it has, no cluster
 * is removed that it may still use, and nothing is sent that refers to a cluster it may not hold.
 * An Envoy without routes requests none, so the window ends after a timeout at the latest. Loop
 * only.
 */
final class ReconnectWindow {
  private static final List<ResourceType> AWAITED =
      List.of(ResourceType.CLUSTER, ResourceType.LISTENER, ResourceType.ROUTES);

  private final AdsStream stream;
  private final long began;
  private boolean open;

  ReconnectWindow(AdsStream stream, long now) {
    this.stream = stream;
    this.began = now;
  }

  /** The proxy named a version that it holds. */
  void open() {
    open = true;
  }

  boolean isOpen(long now) {
    return open
        && stream.isAggregated()
        && stream.node().isEnvoy()
        && now - began < InFlightResponse.timeout(ResourceType.ROUTES).toNanos()
        && (AWAITED.stream().anyMatch(type -> stream.typeStream(type) == null)
            || stream.isAwaitingHosts());
  }

  /** Closes the window if it is over; returns whether it has just been closed. */
  boolean closeIfOver(long now) {
    boolean over = open && !isOpen(now);
    open &= !over;
    return over;
  }
}
