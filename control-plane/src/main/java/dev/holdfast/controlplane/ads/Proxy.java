// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.controlplane.snapshot.ResourceType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One proxy: all streams of one node. There may be several, one for each type or, while it replaces
 * itself, of the old process and the new.
 */
final class Proxy {
  private final List<AdsStream> streams = new ArrayList<>();
  private ProxyNode node;

  /** Another number each time the node comes back. */
  final long connection;

  final RejectedVersions rejections;

  /** Whether it hears what it may at the end of this turn. */
  boolean queuedToSend;

  /** Whether it has run all that it was shown, at some time since it came. */
  boolean ranEverything;

  Proxy(long connection, ProxyNode node, RejectedVersions rejections) {
    this.connection = connection;
    this.node = node;
    this.rejections = rejections;
  }

  ProxyNode node() {
    return node;
  }

  List<AdsStream> streams() {
    return Collections.unmodifiableList(streams);
  }

  void add(AdsStream stream, ProxyNode newest) {
    node = newest;
    streams.add(stream);
  }

  void remove(AdsStream stream) {
    streams.remove(stream);
  }

  /**
   * The type stream that gives the proxy all its clusters, and so tells which it has: on the same
   * stream if there is one. Null for a client that asks for clusters by name, after the routes.
   */
  @Nullable TypeStream allClusters(AdsStream own) {
    TypeStream typeStream = own.typeStream(ResourceType.CLUSTER);
    if (typeStream != null) {
      return typeStream.subscription().isWildcard() ? typeStream : null;
    }
    for (AdsStream stream : streams) {
      TypeStream other = stream.typeStream(ResourceType.CLUSTER);
      if (other != null && other.subscription().isWildcard()) {
        return other;
      }
    }
    return null;
  }

  /** Whether there may be something to say on one of them. */
  boolean mayHaveNews() {
    for (AdsStream stream : streams) {
      if (stream.mayHaveNews()) {
        return true;
      }
    }
    return false;
  }

  /** Tries what had to wait, on every stream: one may have waited for what another one heard. */
  void pump() {
    List.copyOf(streams).forEach(AdsStream::pump);
  }
}
