// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import dev.holdfast.controlplane.ads.reconnect.ConfirmedVersions;
import dev.holdfast.controlplane.ads.reconnect.HeldVersion;
import dev.holdfast.controlplane.ads.reconnect.PreviousVersions;
import dev.holdfast.controlplane.ads.stream.PendingNames.Event;
import dev.holdfast.controlplane.ads.wire.Nonces;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import dev.holdfast.controlplane.snapshot.ResourceType;
import java.util.Map;

/**
 * Works out which resources a reconnecting proxy holds from the versions that it names: resources
 * that are served now, or were served before.
 */
final class ReconnectReconciler {
  private final AdsStream stream;
  private final ResourceType type;
  private final Subscription subscription;
  private final HeldResources held;
  private final PendingNames pending;

  ReconnectReconciler(
      AdsStream stream,
      ResourceType type,
      Subscription subscription,
      HeldResources held,
      PendingNames pending) {
    this.stream = stream;
    this.type = type;
    this.subscription = subscription;
    this.held = held;
    this.pending = pending;
  }

  // SotW: one version for all names.

  /**
   * The proxy holds everything that it subscribes to in one version.
   *
   * @param target the resources that it should hold
   */
  ReconnectState recognise(String version, ResourceTable target) {
    PreviousVersions previous = stream.previousVersions(type);
    HeldVersion known = previous.byVersion(version);
    if (known != null) {
      held.setRunning(subscribedPart(known.table()));
      if (subscription.isWildcard() || stream.node().isEnvoy()) {
        skipHeld(target);
      } // unlike Envoy, an application may have dropped a resource and subscribed to it again
      known.uncertain().forEach(this::resendUncertain);
      return ReconnectState.RECOGNISED;
    }
    String digest = Nonces.digest(version);
    if (target.version().equals(digest)) {
      held.setRunning(target);
      if (holdsAllOf(version)) {
        skipHeld(target);
      } // otherwise the resources are sent once more
      return ReconnectState.RECOGNISED;
    }
    ResourceTable table = previous.byDigest(digest);
    if (table != null) {
      held.setRunning(table);
      return ReconnectState.RECOGNISED;
    }
    if (type == ResourceType.ROUTES) {
      subscription.names().stream().filter(this::mayKeep).forEach(held::addUnknown);
    }
    return ReconnectState.UNKNOWN_VERSIONS;
  }

  /**
   * Whether a proxy may go on with an unknown version of a name. A client that can be told why a
   * resource is missing waits for the reason if it holds nothing; if it holds something, the reason
   * does no harm.
   */
  private boolean mayKeep(String name) {
    return !stream.canReportMissing(type) || stream.view().get(type, name) != null;
  }

  /**
   * Whether a proxy holds all resources of a version. A proxy that subscribes by name may have
   * dropped some of them and subscribed to them again since it accepted the version, which it goes
   * on naming. Envoy does so only with secrets and extensions, and not with confirmed versions.
   */
  private boolean holdsAllOf(String version) {
    return subscription.isWildcard()
        || (stream.node().isEnvoy() && !ConfirmedVersions.TYPES.contains(type))
        || stream.isConfirmed(type, version);
  }

  /** The proxy names one version also if it does not hold all names of it any more. */
  private ResourceTable subscribedPart(ResourceTable table) {
    if (subscription.isWildcard()) {
      return table;
    }
    ResourceTable[] part = {table};
    table.forEach(
        resource -> {
          if (!subscription.hasName(resource.name())) {
            part[0] = part[0].without(resource.name());
          }
        });
    return part[0];
  }

  /** Resources that the proxy holds in the right version are not sent. */
  private void skipHeld(ResourceTable target) {
    ResourceTable running = held.running();
    if (areAwaitedEndpoints()) {
      return;
    }
    if (running.sameAs(target)) {
      held.setRunning(target);
      pending.clearAll();
      for (String name : pending.names()) {
        if (target.get(name) != null || !stream.canReportMissing(type)) {
          pending.apply(Event.SEND, name); // reports of missing names are due on every stream
        }
      }
      return;
    }
    for (String name : pending.names()) {
      Resource resource = target.get(name);
      if (resource != null && resource.equals(running.get(name))) {
        pending.apply(Event.RECOGNISE, name);
      }
    }
  }

  // Delta: a version for each name.

  /** The proxy holds these versions by name. */
  ReconnectState recognise(Map<String, String> versions) {
    PreviousVersions previous = stream.previousVersions(type);
    ReconnectState state = ReconnectState.RECOGNISED;
    for (Map.Entry<String, String> claim : versions.entrySet()) {
      String name = claim.getKey();
      Resource newest = stream.view().get(type, name);
      boolean rejected = newest != null && stream.rejections().contains(newest);
      if (newest != null && !rejected && newest.version().equals(claim.getValue())) {
        held.add(newest);
        if (!areAwaitedEndpoints()) {
          pending.apply(Event.RECOGNISE, name);
        }
        continue;
      }
      Resource known = previous.resource(name, claim.getValue());
      if (known == null) {
        held.addUnknown(name);
        state = ReconnectState.UNKNOWN_VERSIONS;
      } else {
        held.add(known);
      }
      pending.apply(Event.RECHECK, name);
    }
    for (HeldVersion earlier : previous.held()) {
      for (String name : earlier.uncertain()) {
        if (!earlier.isApplied(name, versions.get(name))) {
          resendUncertain(name);
        }
      }
    }
    return state;
  }

  // Both.

  /** The proxy was sent a version of this name, and its answer was lost. */
  private void resendUncertain(String name) {
    if (stream.view().get(type, name) == null && mayKeep(name)) {
      held.addUnknown(name);
    }
    if (subscription.isWildcard() || subscription.hasName(name)) {
      pending.apply(Event.REQUEST, name);
    }
  }

  /**
   * Envoy requests clusters first, unless some clusters wait for their endpoints: then it requests
   * no clusters before the endpoints have come, even if it holds them already.
   */
  private boolean areAwaitedEndpoints() {
    return type == ResourceType.ENDPOINTS
        && stream.isAggregated()
        && stream.node().isEnvoy()
        && stream.typeStream(ResourceType.CLUSTER) == null;
  }
}
