// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import dev.holdfast.xds.client.ResourceType;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.XdsClientObserver;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what an observer throws away from the engine: a log or a metric that fails must not cost a
 * stream. The observer hears of it itself; what it throws then is lost.
 */
final class GuardedObserver implements XdsClientObserver {
  private final XdsClientObserver observer;

  GuardedObserver(XdsClientObserver observer) {
    this.observer = observer;
  }

  @Override
  public void resourceUpdates(ServerConfig server, ResourceType<?> type, int valid, int invalid) {
    guard(() -> observer.resourceUpdates(server, type, valid, invalid));
  }

  @Override
  public void serverFailure(ServerConfig server, Status status) {
    guard(() -> observer.serverFailure(server, status));
  }

  @Override
  public void connected(ServerConfig server, @Nullable Boolean connected) {
    guard(() -> observer.connected(server, connected));
  }

  @Override
  public void cacheStateChanged(
      String authority, ResourceType<?> type, @Nullable String before, @Nullable String after) {
    guard(() -> observer.cacheStateChanged(authority, type, before, after));
  }

  @Override
  public void streamStarted(ServerConfig server) {
    guard(() -> observer.streamStarted(server));
  }

  @Override
  public void streamEnded(ServerConfig server, Status status) {
    guard(() -> observer.streamEnded(server, status));
  }

  @Override
  public void nackSent(ServerConfig server, ResourceType<?> type, String version, String detail) {
    guard(() -> observer.nackSent(server, type, version, detail));
  }

  @Override
  public void unknownTypeIgnored(ServerConfig server, String typeUrl) {
    guard(() -> observer.unknownTypeIgnored(server, typeUrl));
  }

  @Override
  public void uncaught(Throwable error) {
    try {
      observer.uncaught(error);
    } catch (Throwable e) { // there is nobody left to tell
    }
  }

  private void guard(Runnable call) {
    try {
      call.run();
    } catch (Throwable e) {
      uncaught(e);
    }
  }
}
