// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.controlplane.snapshot.ResourceType;
import java.util.List;

/**
 * A proxy that comes back says what it runs type by type. Until it has, nothing is taken from it
 * that may still be referred to, and nothing sent that refers to what it may not have. It asks for
 * no routes if it has none, so that this has an end. Loop only.
 */
final class ReconnectWindow {
  private static final List<ResourceType> TOLD =
      List.of(ResourceType.CLUSTER, ResourceType.LISTENER, ResourceType.ROUTES);

  private final AdsStream stream;
  private final long began;
  private boolean open;

  ReconnectWindow(AdsStream stream, long now) {
    this.stream = stream;
    this.began = now;
  }

  /** The proxy came with something. */
  void begin() {
    open = true;
  }

  boolean isUnderWay(long now) {
    return open
        && stream.isAggregated()
        && stream.node().isEnvoy()
        && now - began < AdsServer.patience(ResourceType.ROUTES).toNanos()
        && TOLD.stream().anyMatch(type -> stream.typeStream(type) == null);
  }

  /** Whether it has just come to its end. */
  boolean ends(long now) {
    boolean over = open && !isUnderWay(now);
    open &= !over;
    return over;
  }
}
