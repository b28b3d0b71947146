// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import dev.holdfast.controlplane.ads.proxy.ProxyNode;
import dev.holdfast.controlplane.ads.proxy.RejectedVersions;
import dev.holdfast.controlplane.snapshot.ResourceType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A connected proxy: all streams of one node. There may be several streams, one for each type or,
 * during a hot restart, of the old process and of the new one. Loop only.
 */
public final class Proxy {
  private final long connection;
  private final RejectedVersions rejections;
  private final List<AdsStream> streams = new ArrayList<>();
  private ProxyNode node;
  private boolean ranEverything;

  /** Whether it is in the {@link SendQueue}. */
  boolean queued;

  /**
   * @param connection a number that differs each time the node connects
   */
  public Proxy(long connection, ProxyNode node, RejectedVersions rejections) {
    this.connection = connection;
    this.node = node;
    this.rejections = rejections;
  }

  public long connection() {
    return connection;
  }

  public ProxyNode node() {
    return node;
  }

  public RejectedVersions rejections() {
    return rejections;
  }

  public List<AdsStream> streams() {
    return Collections.unmodifiableList(streams);
  }

  public void add(AdsStream stream, ProxyNode newest) {
    node = newest;
    streams.add(stream);
  }

  public void remove(AdsStream stream) {
    streams.remove(stream);
  }

  /** Whether it has run everything that it was served, at some time since it connected. */
  public boolean hasRunEverything() {
    return ranEverything;
  }

  public void markRanEverything() {
    ranEverything = true;
  }

  /**
   * The wildcard subscription to clusters, which tells the clusters that the proxy holds: on the
   * given stream if it has one. Null for a client that subscribes to clusters by name, after the
   * routes.
   */
  @Nullable TypeStream wildcardClusters(AdsStream preferred) {
    TypeStream own = preferred.typeStream(ResourceType.CLUSTER);
    if (own != null) {
      return own.subscription().isWildcard() ? own : null;
    }
    for (AdsStream stream : streams) {
      TypeStream other = stream.typeStream(ResourceType.CLUSTER);
      if (other != null && other.subscription().isWildcard()) {
        return other;
      }
    }
    return null;
  }

  /**
   * The versions that the proxy is known to hold completely; empty unless it is an Envoy with one
   * stream and has accepted every response on it.
   */
  public Map<ResourceType, String> confirmedVersions() {
    return node.isEnvoy() && streams.size() == 1 ? streams.get(0).confirmedVersions() : Map.of();
  }

  /** Whether there may be something to send on one of the streams. */
  boolean mayHaveResponse() {
    for (AdsStream stream : streams) {
      if (stream.mayHaveResponse()) {
        return true;
      }
    }
    return false;
  }

  /** Sends on every stream: one may have waited for an answer on another. */
  void sendResponses() {
    List.copyOf(streams).forEach(AdsStream::sendResponses);
  }
}
