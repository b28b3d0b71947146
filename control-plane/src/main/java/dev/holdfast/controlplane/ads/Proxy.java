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
  private final List<Session> sessions = new ArrayList<>();
  private ProxyNode node;

  /** Another number each time the node comes back. */
  final long connection;

  final Rejections rejections;

  /** Whether it hears what it may at the end of this turn. */
  boolean due;

  /** Whether it has run all that it was shown, at some time since it came. */
  boolean ranEverything;

  Proxy(long connection, ProxyNode node, Rejections rejections) {
    this.connection = connection;
    this.node = node;
    this.rejections = rejections;
  }

  ProxyNode node() {
    return node;
  }

  List<Session> sessions() {
    return Collections.unmodifiableList(sessions);
  }

  void add(Session session, ProxyNode newest) {
    node = newest;
    sessions.add(session);
  }

  void remove(Session session) {
    sessions.remove(session);
  }

  /**
   * The channel that gives the proxy all its clusters, and so tells which it has: on the same
   * stream if there is one. Null for a client that asks for clusters by name, after the routes.
   */
  @Nullable Channel allClusters(Session own) {
    Channel channel = own.channel(ResourceType.CLUSTER);
    if (channel != null) {
      return channel.subscription().isWildcard() ? channel : null;
    }
    for (Session session : sessions) {
      Channel other = session.channel(ResourceType.CLUSTER);
      if (other != null && other.subscription().isWildcard()) {
        return other;
      }
    }
    return null;
  }

  /** Whether there may be something to say on one of them. */
  boolean mayHaveNews() {
    for (Session session : sessions) {
      if (session.mayHaveNews()) {
        return true;
      }
    }
    return false;
  }

  /** Tries what had to wait, on every stream: one may have waited for what another one heard. */
  void pump() {
    List.copyOf(sessions).forEach(Session::pump);
  }
}
