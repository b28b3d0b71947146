// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import dev.holdfast.controlplane.ads.access.Access;
import dev.holdfast.controlplane.ads.proxy.ProxyNode;
import dev.holdfast.controlplane.ads.proxy.RejectedVersions;
import dev.holdfast.controlplane.ads.reconnect.HeldVersion;
import dev.holdfast.controlplane.ads.view.HostForm;
import dev.holdfast.controlplane.ads.wire.Protocol;
import dev.holdfast.controlplane.snapshot.ResourceType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A connected proxy: all streams of one process. There may be several, one for each type, or one on
 * a connection that is broken and one that has taken its place. Loop only.
 */
public final class Proxy {
  private final long connection;
  private final String nodeId;
  private final RejectedVersions rejections;
  private final List<AdsStream> streams = new ArrayList<>();
  private ProxyNode node;
  private boolean ranEverything;
  private boolean contested;
  private boolean unjudged;
  private boolean isBeingJudged;

  /** Whether it is in the {@link SendQueue}. */
  boolean queued;

  /**
   * @param connection a number that differs each time the proxy connects
   * @param nodeId as the proxy names itself
   * @param node its id is the name of the proxy, and differs if other proxies have its node id
   */
  public Proxy(long connection, String nodeId, ProxyNode node, RejectedVersions rejections) {
    this.connection = connection;
    this.nodeId = nodeId;
    this.node = node;
    this.rejections = rejections;
  }

  public long connection() {
    return connection;
  }

  /** The node id as the proxy names itself. */
  public String nodeId() {
    return nodeId;
  }

  /** The proxy; its id is unique among all connected proxies. */
  public ProxyNode node() {
    return node;
  }

  public RejectedVersions rejections() {
    return rejections;
  }

  public List<AdsStream> streams() {
    return Collections.unmodifiableList(streams);
  }

  /** A stream joins, which may know better what the proxy is. */
  public void add(AdsStream stream, ProxyNode newest) {
    node = newest.withId(node.id());
    streams.add(stream);
  }

  /**
   * It has rejected something, or is shown something that it rejected before, and may be served
   * something else because of that.
   */
  public void rejected() {
    unjudged = true;
    isBeingJudged = false;
  }

  /** Whether it may be served something else soon because of what it has just rejected. */
  boolean isUnjudged() {
    return unjudged;
  }

  /** Conclusions are about to be drawn from what it has rejected until now. */
  public void judging() {
    isBeingJudged = unjudged;
  }

  /** Conclusions were drawn from what it rejected; false if that was done before. */
  public boolean judged() {
    boolean isDone = isBeingJudged;
    unjudged &= !isDone;
    isBeingJudged = false;
    return isDone;
  }

  /** Another process has passed itself off as this one. */
  void contest() {
    contested = true;
  }

  boolean isContested() {
    return contested;
  }

  boolean hasConnection(String address) {
    return !address.isEmpty()
        && streams.stream().anyMatch(stream -> stream.sink().address().equals(address));
  }

  /** The host that it connected from; empty if that is unknown. */
  String host() {
    return streams.isEmpty() ? "" : host(streams.get(0));
  }

  static String host(AdsStream stream) {
    String address = stream.sink().address();
    int port = address.lastIndexOf(':');
    return port < 0 ? address : address.substring(0, port);
  }

  /** Whether it has streams for single types only, and none for the type of a new one. */
  boolean lacksStreamFor(AdsStream added) {
    return streams.stream()
        .noneMatch(stream -> stream.isAggregated() || stream.competesWith(added));
  }

  /** Whether its streams are of a protocol: a process does not change it. */
  boolean speaks(Protocol protocol) {
    return streams.stream().allMatch(stream -> stream.protocol() == protocol);
  }

  /** Whether a type was requested on one of its streams. */
  boolean hasStreamWith(ResourceType type) {
    return streams.stream().anyMatch(stream -> stream.typeStream(type) != null);
  }

  /** The versions of a type that it may hold from streams other than this one. */
  List<HeldVersion> heldVersions(ResourceType type, AdsStream butNot) {
    List<HeldVersion> held = new ArrayList<>();
    for (AdsStream stream : streams) {
      TypeStream typeStream = stream.typeStream(type);
      if (stream != butNot && typeStream != null) {
        held.addAll(typeStream.heldVersions());
      }
    }
    return held;
  }

  public void remove(AdsStream stream) {
    streams.remove(stream);
  }

  /** Whether what it accepts and rejects counts for anybody else. */
  public boolean mayVote() {
    return streams.stream().allMatch(stream -> stream.access().mayVote());
  }

  /** Whether it tries changes before all others, and serves nobody. */
  public boolean isScout() {
    return streams.stream().anyMatch(stream -> stream.access().isScout());
  }

  /** The form that it gets the hosts without TLS in. */
  public HostForm hostForm() {
    return streams.stream().anyMatch(stream -> stream.hostForm() == HostForm.EACH)
        ? HostForm.EACH
        : HostForm.TABLE;
  }

  /** Whether its streams have the same rights as another one. */
  boolean hasAccess(Access access) {
    return streams.stream().allMatch(stream -> stream.access() == access);
  }

  /** Whether it has run everything, or was serving requests already when it connected. */
  public boolean isServing() {
    return ranEverything || streams.stream().anyMatch(AdsStream::wasServingOnConnect);
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
      if (stream.isReconnecting()) {
        return true;
      }
      for (ResourceType type : SendOrder.ROUTING) {
        TypeStream routes = stream.typeStream(type);
        if (routes != null && routes.mayEnableFilter(name)) {
          return true;
        }
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

  /** Whether there may be so much to send on one of the streams that others would notice. */
  boolean mayHaveLargeResponse() {
    for (AdsStream stream : streams) {
      if (stream.mayHaveLargeResponse()) {
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
