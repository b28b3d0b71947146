// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import dev.holdfast.controlplane.snapshot.ResourceType;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a proxy ought to run: what is served now, or, where the proxy refused that, what it runs or
 * others of its class do.
 */
final class TargetResources {
  private final AdsStream stream;
  private final ResourceType type;
  private final Subscription subscription;
  private final HeldResources heldResources;

  /** Names that run in another version than is served, because the proxy refused that. */
  private SortedSet<String> deviating = NameSets.none();

  TargetResources(
      AdsStream stream, ResourceType type, Subscription subscription, HeldResources heldResources) {
    this.stream = stream;
    this.type = type;
    this.subscription = subscription;
    this.heldResources = heldResources;
  }

  /** All names there may be something for. */
  SortedSet<String> names() {
    SortedSet<String> names = new TreeSet<>(subscription.names());
    if (subscription.isWildcard()) {
      stream.view().listed(type).forEach(resource -> names.add(resource.name()));
    }
    return names;
  }

  /** All that the proxy ought to run if nothing is new to it. */
  ResourceTable table() {
    ResourceTable table = ResourceTable.empty();
    for (String name : names()) {
      Resource resource = ofOneThatHasIt(name);
      if (resource != null) {
        table = table.with(resource);
      }
    }
    return table;
  }

  /** What the proxy ought to run under a name if it is not new to it; null if nothing. */
  private @Nullable Resource ofOneThatHasIt(String name) {
    Resource newest = stream.view().get(type, name);
    return newest != null && subscription.covers(newest) && !refused(newest) ? newest : of(name);
  }

  /** What the proxy ought to run under a name; null if nothing, or what it came with. */
  @Nullable Resource of(String name) {
    Resource newest = stream.view().get(type, name);
    if (newest == null || !subscription.covers(newest)) {
      deviating = NameSets.without(deviating, name);
      return standInForMissing(name);
    }
    if (!refused(newest)) {
      deviating = NameSets.without(deviating, name);
      return mustComeAfterStandIn(newest) ? PlaceholderResources.extension(name) : newest;
    }
    deviating = NameSets.with(deviating, name);
    Resource held = heldResources.running().get(name);
    if (held != null && !refused(held)) {
      return held;
    }
    if (heldResources.isForeign(name)) {
      return null;
    }
    Resource good = stream.lastGood(type, name);
    if (good != null && !refused(good)) {
      return good;
    }
    return usable(
        switch (type) {
          case ROUTES -> PlaceholderResources.routes(name);
          case EXTENSION -> PlaceholderResources.extension(name);
          case CLUSTER, ENDPOINTS, LISTENER, SECRET -> null;
        });
  }

  /**
   * Envoy answers all requests of a listener with 500 once it has refused a filter that it never
   * had in another version. So what nobody of its class has accepted comes second.
   */
  private boolean mustComeAfterStandIn(Resource newest) {
    return type == ResourceType.EXTENSION
        && stream.node().isEnvoy()
        && !heldResources.contains(newest.name())
        && !stream.isProven(newest)
        && !refused(PlaceholderResources.extension(newest.name()));
  }

  private @Nullable Resource standInForMissing(String name) {
    if (!stream.node().isEnvoy() || !subscription.named(name)) {
      return null;
    }
    return usable(
        switch (type) {
          case ROUTES -> PlaceholderResources.routes(name);
          // A cluster that has endpoints keeps them until nothing refers to it.
          case ENDPOINTS ->
              heldResources.contains(name) ? null : PlaceholderResources.endpoints(name);
          case SECRET -> stream.onItsWay(type, name);
          case CLUSTER, LISTENER, EXTENSION -> null;
        });
  }

  private @Nullable Resource usable(@Nullable Resource standIn) {
    return standIn == null || refused(standIn) ? null : standIn;
  }

  private boolean refused(Resource resource) {
    return stream.rejections().contains(resource);
  }

  /** Whether a name was last found to run, or to be absent, because of a refusal. */
  boolean deviates(String name) {
    return deviating.contains(name);
  }

  SortedSet<String> deviating() {
    return Collections.unmodifiableSortedSet(deviating);
  }

  /**
   * Something that is shown and the proxy refused; null if there is nothing.
   *
   * @param excused what does not count
   */
  @Nullable Resource refusal(Predicate<Resource> excused) {
    for (String name : deviating) {
      Resource newest = stream.view().get(type, name);
      if (newest != null && subscription.covers(newest)) {
        RejectedVersions.Rejected rejected = stream.rejections().of(newest);
        if (rejected != null && !rejected.passing() && !excused.test(newest)) {
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
