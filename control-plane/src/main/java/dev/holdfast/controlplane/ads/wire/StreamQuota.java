// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import dev.holdfast.base.TimeSource;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts the open streams of each network address and how fast they are opened. An address without
 * streams is forgotten once its burst is full again. Any thread.
 */
final class StreamQuota {
  /** How many seconds of opening streams may come at once: a fleet behind one address restarts. */
  private static final int BURST = 10;

  /** When so many addresses are known, those that are at rest are forgotten. */
  private static final int CLEAN_UP = 1_024;

  private final AdsLimits limits;
  private final TimeSource time;
  private final Map<String, Peer> peers = new HashMap<>();
  private int open;
  private int cleanUpAt = CLEAN_UP;

  private static final class Peer {
    private final RateLimit opening;
    private int open;

    Peer(RateLimit opening) {
      this.opening = opening;
    }
  }

  StreamQuota(AdsLimits limits, TimeSource time) {
    this.limits = limits;
    this.time = time;
  }

  /** A client opens a stream; null if it may, and then {@link #close} must follow. */
  synchronized @Nullable Refusal open(String address) {
    if (open >= limits.streams()) {
      return Refusal.tooMuch(open + " streams are open", "streams", limits.streams());
    }
    long now = time.nanoTime();
    Peer peer = peers.get(address);
    if (peer == null) {
      cleanUp(now);
      peer = new Peer(new RateLimit(limits.streamsPerSecond(), BURST, now));
      peers.put(address, peer);
    }
    if (peer.open >= limits.streamsPerPeer()) {
      return Refusal.tooMuch(
          address + " has " + peer.open + " open streams",
          "streamsPerPeer",
          limits.streamsPerPeer());
    }
    if (!peer.opening.take(now)) {
      return Refusal.tooMuch(
          address + " opens streams too fast; a second later it may open more",
          "streamsPerSecond",
          limits.streamsPerSecond());
    }
    peer.open++;
    open++;
    return null;
  }

  /** A stream ended. */
  synchronized void close(String address) {
    open--;
    Peer peer = peers.get(address);
    if (peer != null) {
      peer.open--;
    }
  }

  private void cleanUp(long now) {
    if (peers.size() < cleanUpAt) {
      return;
    }
    Iterator<Peer> all = peers.values().iterator();
    while (all.hasNext()) {
      Peer peer = all.next();
      if (peer.open == 0 && peer.opening.isFull(now)) {
        all.remove();
      }
    }
    cleanUpAt = Math.max(CLEAN_UP, 2 * peers.size());
  }

  /** How many addresses are known. */
  synchronized int peers() {
    return peers.size();
  }
}
