// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.fleet;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.Snapshot;
import dev.holdfast.controlplane.translate.TranslatedObject;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** All connected proxies, of all rollouts. */
public interface ProxyFleet {
  /** All proxies, in the order in which they should be asked. */
  Collection<Member> members();

  /** The connected scouts, which are no members, in the order in which they should be asked. */
  default Collection<Member> scouts() {
    return List.of();
  }

  /** The proxies that have ever refused a resource. */
  Collection<Member> refusing();

  /** A connected proxy; null if it is not connected. */
  @Nullable Member member(String node);

  /**
   * A connected proxy.
   *
   * @param connection a new number each time the node connects
   */
  record Member(String node, String proxyClass, long connection) {}

  /** Whether a proxy connected with content that this server does not know. */
  default boolean isAdopted(String node) {
    return false;
  }

  /** Whether a proxy ran something already when it connected. */
  default boolean wasRunningOnConnect(String node) {
    return isAdopted(node);
  }

  /** Whether a node was chosen as a canary and has connected again since. */
  default boolean isFormerCanary(String node) {
    return false;
  }

  /** Whether a proxy runs content that an empty selection would take away. */
  default boolean hasSomethingToLose(String node) {
    return isAdopted(node);
  }

  /**
   * The verdict of a proxy on everything that it is shown.
   *
   * @param excused refused resources that do not count as a rejection
   */
  Verdict verdict(String node, Predicate<Resource> excused);

  /** What a proxy makes of one resource, whether it is shown that or not. */
  Opinion opinion(String node, Resource resource);

  /** Whether a proxy runs every part of an object that it subscribed to. */
  boolean runs(String node, TranslatedObject object);

  /** What a proxy makes of a resource. */
  enum Opinion {
    RUNS,
    REFUSED,
    /** The proxy has not answered yet, and may. */
    OPEN,
    /** The proxy did not subscribe to it. */
    UNCONCERNED
  }

  /** Shows the common selection to all proxies except those of separated classes. */
  void show(Snapshot baseline, Set<String> canaries, Snapshot trial);

  /** Shows a selection of their own to the proxies of one class. */
  void showClass(String proxyClass, Snapshot baseline, Set<String> canaries, Snapshot trial);

  /** Shows the common selection to the proxies of a class again. */
  void joinClass(String proxyClass);

  /** All resources of a snapshot that a proxy refuses, but for endpoints. */
  Collection<Resource> refused(String node, Snapshot of);

  /**
   * The version of a resource that a proxy runs; null if there is none, or if it is one that the
   * server made up.
   */
  @Nullable Resource running(String node, ResourceId id);

  /** Whether a proxy runs a version of a resource, or was sent it last and has not answered. */
  default boolean mayRun(String node, Resource resource) {
    return resource.equals(running(node, resource.id()));
  }

  /** Whether a proxy holds a version of a resource that this server does not know. */
  default boolean holdsUnknown(String node, ResourceId id) {
    return false;
  }

  /** Whether other processes use the node id of a proxy, or did so lately. */
  default boolean sharesNodeId(String node) {
    return false;
  }

  /**
   * Shows one proxy a selection of its own in place of that of its class, until it leaves.
   *
   * @param only the resources that are replaced, if the selection has them; null for all
   * @param trial whether the proxy tries them
   */
  void showProxy(String node, Snapshot own, @Nullable Set<ResourceId> only, boolean trial);

  /** Shows a proxy what its class is shown. */
  void joinProxy(String node);

  /** Conclusions are about to be drawn from everything that proxies have refused. */
  default void judging() {}

  /** Conclusions were drawn from everything that proxies had refused when this began. */
  default void judged() {}
}
