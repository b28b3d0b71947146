// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import dev.holdfast.controlplane.ads.proxy.ProxyNode;
import dev.holdfast.controlplane.ads.proxy.RejectedVersions;
import dev.holdfast.controlplane.snapshot.ResourceType;
import io.grpc.Status;
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
  private static final Status REPLACED =
      Status.UNAVAILABLE.withDescription("another process has connected with this node id");

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

  /**
   * Ends the streams of a process of which another one has taken the place. Envoy has one
   * aggregated stream, so a stream of a process that holds nothing is often the first news that the
   * process before it has died. If that one lives after all (a hot restart), it connects again, and
   * names what it holds.
   */
  public void endAggregatedStreams() {
    for (AdsStream stream : List.copyOf(streams)) {
      if (stream.isAggregated() && stream.isInUse()) {
        stream.sink().end(REPLACED);
      }
    }
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

  /** Whether the proxy runs a filter, or one that refuses the requests which the filter is for. */
  boolean runsFilter(String name) {
    for (AdsStream stream : streams) {
      TypeStream extensions = stream.typeStream(ResourceType.EXTENSION);
      if (extensions != null && extensions.runsFilter(name)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether routes that the proxy runs may enable a filter. While it reconnects, it has not named
   * everything that it runs.
   */
  boolean mayEnableFilter(String name) {
    for (AdsStream stream : streams) {
      TypeStream routes = stream.typeStream(ResourceType.ROUTES);
      if (stream.isReconnecting() || (routes != null && routes.mayEnableFilter(name))) {
        return true;
      }
    }
    return false;
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
    for (AdsStream stream : List.copyOf(streams)) {
      stream.guard("sending responses", stream::sendResponses);
    }
  }
}
