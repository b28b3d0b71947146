// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import dev.holdfast.controlplane.ads.proxy.RejectedVersions;
import dev.holdfast.controlplane.ads.reconnect.HeldVersion;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.translate.host.ResourceNames;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The resources of one type that a proxy should run: the served version, or, if the proxy rejected
 * that, the version that it runs or that other proxies of its class run.
 */
final class TargetResources {
  private final AdsStream stream;
  private final ResourceType type;
  private final Subscription subscription;
  private final HeldResources held;

  /** Names whose served version the proxy rejected. */
  private SortedSet<String> deviating = NameSets.none();

  TargetResources(
      AdsStream stream, ResourceType type, Subscription subscription, HeldResources held) {
    this.stream = stream;
    this.type = type;
    this.subscription = subscription;
    this.held = held;
  }

  /** All names that the subscription may cover. */
  SortedSet<String> names() {
    SortedSet<String> names = new TreeSet<>(subscription.names());
    if (subscription.isWildcard()) {
      stream.view().listed(type).forEach(resource -> names.add(resource.name()));
    }
    return names;
  }

  /** All resources that the proxy should run, if it has accepted each of them before. */
  ResourceTable table() {
    ResourceTable table = ResourceTable.empty();
    for (String name : names()) {
      Resource resource = ofHolder(name);
      if (resource != null) {
        table = table.with(resource);
      }
    }
    return table;
  }

  /** The resource that the proxy should run if the name is not new to it; null if none. */
  private @Nullable Resource ofHolder(String name) {
    Resource newest = stream.view().get(type, name);
    return newest != null && subscription.covers(newest) && !isRejected(newest) ? newest : of(name);
  }

  /** The resource that the proxy should run; null if none, or the unknown one that it holds. */
  @Nullable Resource of(String name) {
    Resource newest = stream.view().get(type, name);
    if (newest == null || !subscription.covers(newest)) {
      deviating = NameSets.without(deviating, name);
      return placeholderForMissing(name);
    }
    if (!isRejected(newest)) {
      Resource next =
          mustFollowPlaceholder(newest)
              ? PlaceholderResources.idleFilter(name)
              : ListenerTransition.to(newest, held.running().get(name), stream);
      RejectedVersions.Reason refused = stream.rejections().reason(next);
      if (refused == null) {
        deviating = NameSets.without(deviating, name);
        return next;
      }
      // It cannot get to the version behind a transition that it rejected on the way to another.
      stream.rejections().add(newest.id(), newest.version(), refused.message(), refused.at());
    }
    deviating = NameSets.with(deviating, name);
    Resource running = held.running().get(name);
    if (running != null && !isRejected(running) && !mustRefuse(running)) {
      return running;
    }
    if (held.isUnknown(name)) {
      return null;
    }
    Resource good = stream.lastGood(type, name);
    if (good != null && !isRejected(good) && !mustRefuse(good)) {
      return good;
    }
    Resource earlier = earlier(name);
    if (earlier != null) {
      return earlier;
    }
    return usable(
        switch (type) {
          case ROUTES -> PlaceholderResources.routes(name);
          // A canary lacks the host as it did before: it will be served another trial.
          case VIRTUAL_HOST -> stream.isOnTrial() ? null : PlaceholderResources.host(newest);
          case EXTENSION ->
              stream.isOnTrial()
                  ? PlaceholderResources.idleFilter(name)
                  : PlaceholderResources.refusingFilter(name);
          case CLUSTER, ENDPOINTS, LISTENER, SECRET -> null;
        });
  }

  /**
   * The version that an earlier process of the proxy ran, if everything that it needs is still
   * there. A proxy that rejects what its class runs goes on with it after a restart, too.
   */
  private @Nullable Resource earlier(String name) {
    Resource found = null;
    for (HeldVersion each : stream.heldBefore(type)) {
      Resource resource = each.table().get(name);
      if (resource != null
          && !isRejected(resource)
          && !mustRefuse(resource)
          && !PlaceholderResources.isPlaceholder(resource)
          && stream.hasAllThatItNeeds(resource)) {
        found = resource;
      }
    }
    return found;
  }

  /**
   * Envoy answers all requests of a listener with 500 once it has rejected a filter of which it
   * never had another version. So an unproven filter is sent after a placeholder; to a proxy that
   * serves requests, also one that others of its class run.
   */
  private boolean mustFollowPlaceholder(Resource newest) {
    return type == ResourceType.EXTENSION
        && stream.node().isEnvoy()
        && !held.contains(newest.name())
        && (!stream.isProven(newest) || stream.proxy().isServing())
        && !isRejected(PlaceholderResources.idleFilter(newest.name()));
  }

  /**
   * Whether a filter that does nothing has to be replaced by one that refuses requests. A canary
   * keeps it: it will be served another trial, and gets no routes that enable the filter.
   */
  private boolean mustRefuse(Resource running) {
    return type == ResourceType.EXTENSION
        && !stream.isOnTrial()
        && PlaceholderResources.isIdleFilter(running);
  }

  private @Nullable Resource placeholderForMissing(String name) {
    if (!stream.node().isEnvoy() || !subscription.hasName(name)) {
      return null;
    }
    return usable(
        switch (type) {
          case ROUTES -> isTableInUse(name) ? null : PlaceholderResources.routes(name);
          // A cluster that has endpoints keeps them until nothing refers to the cluster.
          case ENDPOINTS -> held.contains(name) ? null : PlaceholderResources.endpoints(name);
          case SECRET -> stream.neededByClustersInFlight(type, name);
          case CLUSTER, LISTENER, EXTENSION, VIRTUAL_HOST -> null;
        });
  }

  /**
   * Whether it is the table whose hosts come one by one, and the proxy has it although it gets its
   * hosts in another form now: its listener is about to be replaced, and has all hosts until then.
   */
  private boolean isTableInUse(String name) {
    return name.equals(ResourceNames.PLAIN_HOSTS.name()) && held.contains(name);
  }

  private @Nullable Resource usable(@Nullable Resource placeholder) {
    return placeholder == null || isRejected(placeholder) ? null : placeholder;
  }

  private boolean isRejected(Resource resource) {
    return stream.rejections().contains(resource);
  }

  /** Whether the latest decision about a name follows from a rejection. */
  boolean deviates(String name) {
    return deviating.contains(name);
  }

  SortedSet<String> deviating() {
    return Collections.unmodifiableSortedSet(deviating);
  }

  /**
   * A resource of the served snapshot that the proxy rejected; null if there is none.
   *
   * @param excused resources that do not count
   */
  @Nullable Resource rejectedResource(Predicate<Resource> excused) {
    for (String name : deviating) {
      Resource newest = stream.view().get(type, name);
      if (newest != null && subscription.covers(newest)) {
        RejectedVersions.Reason reason = stream.rejections().reason(newest);
        if (reason != null && !reason.local() && !excused.test(newest)) {
          return newest;
        }
      }
    }
    return null;
  }

  void forget(String name) {
    deviating = NameSets.without(deviating, name);
  }
}
