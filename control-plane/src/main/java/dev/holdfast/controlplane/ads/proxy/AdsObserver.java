// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.proxy;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import dev.holdfast.controlplane.snapshot.ResourceType;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/** Observes what proxies do on their streams. Called on the loop. */
public interface AdsObserver {
  /** A stream was opened and named its node. */
  void connected(ProxyNode node, String address);

  /** A stream ended. */
  void disconnected(ProxyNode node, String address, boolean lastOfNode);

  /**
   * A proxy connected with the node id of another one, which is connected, too.
   *
   * @param node its id is the name that it was given
   */
  default void nodeIdShared(ProxyNode node, ProxyNode eldest, String address) {}

  /**
   * A client may not be the node that it says it is; its stream ends.
   *
   * @param node the node id that it claims
   */
  default void notAllowed(String node, String address, String why) {}

  /** A proxy that has connected holds nothing: its process has just been started. */
  default void startedAnew(ProxyNode node) {}

  /**
   * A proxy shares its node id with another process. After a restart nobody could tell which of
   * them rejected something.
   *
   * @param versions what it is known to reject
   */
  default void indistinct(ProxyNode node, Collection<RejectedVersions.Key> versions) {}

  /** What a proxy was known to reject does not count any more. */
  default void forgotten(ProxyNode node, Collection<RejectedVersions.Key> versions) {}

  /** A proxy changed its subscription to a type. */
  void subscribed(ProxyNode node, ResourceType type);

  /** A proxy accepted a response and runs other resources than before. */
  void accepted(
      ProxyNode node, ResourceType type, ResourceTable before, ResourceTable now, long tookNanos);

  /**
   * A proxy rejected a response.
   *
   * @param offenders the resources to blame; empty if they are not known yet
   * @param message the proxy's error text without sensitive values
   */
  void rejected(ProxyNode node, ResourceType type, List<Resource> offenders, String message);

  /**
   * A proxy refused to give up resources. It keeps them; the removal is not sent again without a
   * change.
   *
   * @param message the proxy's error text without sensitive values
   */
  void removalRefused(ProxyNode node, ResourceType type, Collection<String> names, String message);

  /**
   * A proxy cannot run a resource because of a local problem (port in use, missing file). The same
   * bytes are sent again later.
   *
   * @param message the proxy's error text about this resource, without sensitive values
   * @param again the time of the next attempt
   */
  void localProblem(ProxyNode node, Resource resource, String message, Instant again);

  /**
   * An error of our own; the stream that it happened on ends.
   *
   * @param what was being done
   */
  void internalError(String what, Throwable error);

  /** A proxy has not answered a response in time. */
  void overdue(ProxyNode node, ResourceType type);

  /** Nothing of a type is in flight or pending any more, and the proxy need not send a request. */
  void settled(ProxyNode node, ResourceType type);
}
