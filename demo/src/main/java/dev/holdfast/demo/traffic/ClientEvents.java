// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.traffic;

import dev.holdfast.xds.client.ResourceType;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.XdsClientObserver;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/** What the xDS client of a channel went through. Thread-safe. */
public final class ClientEvents implements XdsClientObserver {
  private static final String ACKED = "acked";

  // All guarded by this.
  private boolean connected;
  private @Nullable Status failure;
  private int watched;
  private int accepted;

  /** Whether its control plane is there. */
  public synchronized boolean isConnected() {
    return connected;
  }

  /** What became of its control plane the last time that it became unreachable; null if none. */
  public synchronized @Nullable Status failure() {
    return failure;
  }

  /** How many resources it watches. */
  public synchronized int watched() {
    return watched;
  }

  /** How many of these are in use, with nothing wrong about them. */
  public synchronized int accepted() {
    return accepted;
  }

  /** From now on only what is new counts. */
  public synchronized void forget() {
    failure = null;
  }

  @Override
  public synchronized void connected(ServerConfig server, @Nullable Boolean is) {
    connected = Boolean.TRUE.equals(is);
  }

  @Override
  public synchronized void serverFailure(ServerConfig server, Status status) {
    failure = status;
  }

  @Override
  public synchronized void cacheStateChanged(
      String authority, ResourceType<?> type, @Nullable String before, @Nullable String after) {
    watched += (after == null ? 0 : 1) - (before == null ? 0 : 1);
    accepted += (ACKED.equals(after) ? 1 : 0) - (ACKED.equals(before) ? 1 : 0);
  }
}
