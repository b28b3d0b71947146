// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;

/**
 * Works out what is to be done for a name of a type stream, from what is wanted and what is there.
 */
final class ResponsePlanner {
  private final AdsStream stream;
  private final ResourceType type;
  private final Subscription subscription;
  private final HeldResources heldResources;
  private final PendingNames pending;
  private final TargetResources target;

  ResponsePlanner(
      AdsStream stream,
      ResourceType type,
      Subscription subscription,
      HeldResources heldResources,
      PendingNames pending,
      TargetResources target) {
    this.stream = stream;
    this.type = type;
    this.subscription = subscription;
    this.heldResources = heldResources;
    this.pending = pending;
    this.target = target;
  }

  NameDecision on(String name) {
    Resource resource = target.of(name);
    Resource held = heldResources.running().get(name);
    if (resource == null) {
      return target.deviates(name) ? decideRefused(name) : decideAbsent(name);
    }
    if (resource.equals(held) && !pending.mustSend(name)) {
      return NameDecision.NOTHING;
    }
    return SendOrder.maySend(resource, held, stream)
            && !SendOrder.mustMend(type, stream)
            && !(heldResources.contains(name) && SendOrder.mustNotRisk(resource, stream))
        ? new NameDecision.Send(resource)
        : NameDecision.WAIT;
  }

  /** Envoy may have kept half of a cluster that it refused, which would hold up all later ones. */
  private NameDecision decideRefused(String name) {
    return pending.isTainted(name) && type == ResourceType.CLUSTER
        ? NameDecision.REMOVE
        : decideMissing(name);
  }

  private NameDecision decideAbsent(String name) {
    Resource held = heldResources.running().get(name);
    if (type == ResourceType.ENDPOINTS && held != null && pending.mustSend(name)) {
      return new NameDecision.Send(
          held); // its cluster may be on its way out, and waits for them still
    }
    if (!heldResources.contains(name) && !pending.isUnsure(name)) {
      return SendOrder.maySayMissing(type, name, stream) ? decideMissing(name) : NameDecision.WAIT;
    }
    if (type != ResourceType.LISTENER && subscription.named(name) && !subscription.isWildcard()) {
      return NameDecision.NOTHING; // who asks by name lets go of it when nothing refers to it
    }
    return type != ResourceType.CLUSTER || SendOrder.mayRemoveCluster(name, stream.proxy())
        ? NameDecision.REMOVE
        : NameDecision.WAIT;
  }

  private NameDecision decideMissing(String name) {
    return subscription.named(name) && !pending.knowsMissing(name) && stream.canSayMissing(type)
        ? new NameDecision.Missing(MissingReason.reason(new ResourceId(type, name), stream))
        : NameDecision.NOTHING;
  }
}
