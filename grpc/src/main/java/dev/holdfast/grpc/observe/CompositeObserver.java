// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.observe;

import dev.holdfast.xds.client.ResourceType;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.XdsClientObserver;
import io.grpc.Status;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Several observers as one. One that throws neither keeps the others from hearing of an event nor
 * disturbs the engine; the others are told.
 */
public final class CompositeObserver implements XdsClientObserver {
  private final List<XdsClientObserver> observers;

  private CompositeObserver(List<XdsClientObserver> observers) {
    this.observers = List.copyOf(observers);
  }

  /** Observers that hear of each event in this order. */
  public static XdsClientObserver of(List<XdsClientObserver> observers) {
    return observers.isEmpty() ? XdsClientObserver.none() : new CompositeObserver(observers);
  }

  @Override
  public void resourceUpdates(ServerConfig server, ResourceType<?> type, int valid, int invalid) {
    tell(observer -> observer.resourceUpdates(server, type, valid, invalid));
  }

  @Override
  public void serverFailure(ServerConfig server, Status status) {
    tell(observer -> observer.serverFailure(server, status));
  }

  @Override
  public void connected(ServerConfig server, @Nullable Boolean connected) {
    tell(observer -> observer.connected(server, connected));
  }

  @Override
  public void cacheStateChanged(
      String authority, ResourceType<?> type, @Nullable String before, @Nullable String after) {
    tell(observer -> observer.cacheStateChanged(authority, type, before, after));
  }

  @Override
  public void streamStarted(ServerConfig server) {
    tell(observer -> observer.streamStarted(server));
  }

  @Override
  public void streamEnded(ServerConfig server, Status status) {
    tell(observer -> observer.streamEnded(server, status));
  }

  @Override
  public void nackSent(ServerConfig server, ResourceType<?> type, String version, String detail) {
    tell(observer -> observer.nackSent(server, type, version, detail));
  }

  @Override
  public void unknownTypeIgnored(ServerConfig server, String typeUrl) {
    tell(observer -> observer.unknownTypeIgnored(server, typeUrl));
  }

  @Override
  public void loadReportsBegan(ServerConfig server) {
    tell(observer -> observer.loadReportsBegan(server));
  }

  @Override
  public void loadReportsEnded(ServerConfig server, Status status) {
    tell(observer -> observer.loadReportsEnded(server, status));
  }

  @Override
  public void uncaught(Throwable error) {
    for (XdsClientObserver observer : observers) {
      try {
        observer.uncaught(error);
      } catch (RuntimeException e) {
        error.addSuppressed(e);
      }
    }
  }

  private void tell(Consumer<XdsClientObserver> event) {
    for (XdsClientObserver observer : observers) {
      try {
        event.accept(observer);
      } catch (RuntimeException e) {
        uncaught(e);
      }
    }
  }
}
