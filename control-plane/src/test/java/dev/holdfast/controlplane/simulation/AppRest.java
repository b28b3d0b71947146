// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.ControlPlane;
import dev.holdfast.controlplane.report.ResourceReport;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.xds.client.CacheEntry;
import dev.holdfast.xds.client.ResourceStatus;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * When nothing is left to be said: an application has what the control plane serves, byte for byte,
 * and knows why it does not have the rest.
 */
final class AppRest {
  private final Author author;
  private final Predicate<ObjectKey> isClean;

  /**
   * @param isClean whether a root must be served
   */
  AppRest(Author author, Predicate<ObjectKey> isClean) {
    this.author = author;
    this.isClean = isClean;
  }

  void check(App app, Life life) {
    app.dump().forEach(status -> check(app, status, life));
    for (String host : app.hosts()) {
      if (!app.isTold(host)) {
        throw new Broken(app + " still waits for " + host);
      }
    }
    for (ObjectKey root : author.roots()) {
      String host = Names.host(root);
      if (app.hosts().contains(host) && isClean.test(root) && !app.has(host)) {
        throw new Broken(
            author.get(root) + " is good, but " + app + " cannot call it: " + app.answer(host));
      }
    }
  }

  private static void check(App app, ResourceStatus status, Life life) {
    ResourceType type = ResourceType.ofTypeUrl(status.type().typeUrl());
    if (type == null) {
      throw new AssertionError(status);
    }
    ResourceId id = new ResourceId(type, status.name());
    Optional<ResourceReport> served = life.ask((ControlPlane plane) -> plane.resource(id));
    CacheEntry<?> entry = status.entry();
    CacheEntry.Cached<?> has = entry.resource();
    CacheEntry.Failure failure = entry.failure();
    if (served.isPresent()) {
      if (has == null || failure != null) {
        throw new Broken(id + " is served, but " + app + " has " + entry);
      }
      if (!has.serialized().equals(served.get().resource().body())) {
        throw new Broken(app + " has another " + id + " than is served: " + has.value());
      }
    } else if (failure == null) {
      if (has == null || type == ResourceType.LISTENER) {
        throw new Broken(id + " is not served, but " + app + " is not told so: " + entry);
      } // who lost a listener and uses it on keeps what belongs to it
    } else {
      String reason = failure.status().getDescription();
      if (reason == null || reason.isEmpty() || App.isOfLostTouch(reason)) {
        throw new Broken(id + " is not served, and nobody tells " + app + " why: " + failure);
      }
    }
  }
}
