// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;

/** Works out what is to be done for a name of a channel, from what is wanted and what is there. */
final class Deciding {
  private final Session session;
  private final ResourceType type;
  private final Subscription subscription;
  private final Holdings holdings;
  private final Agenda agenda;
  private final Wanted wanted;

  Deciding(
      Session session,
      ResourceType type,
      Subscription subscription,
      Holdings holdings,
      Agenda agenda,
      Wanted wanted) {
    this.session = session;
    this.type = type;
    this.subscription = subscription;
    this.holdings = holdings;
    this.agenda = agenda;
    this.wanted = wanted;
  }

  Decision on(String name) {
    Resource resource = wanted.of(name);
    Resource held = holdings.running().get(name);
    if (resource == null) {
      return wanted.deviates(name) ? decideRefused(name) : decideAbsent(name);
    }
    if (resource.equals(held) && !agenda.mustSend(name)) {
      return Decision.NOTHING;
    }
    return Gate.maySend(resource, held, session)
            && !Gate.mustMend(type, session)
            && !(holdings.contains(name) && Gate.mustNotRisk(resource, session))
        ? new Decision.Send(resource)
        : Decision.WAIT;
  }

  /** Envoy may have kept half of a cluster that it refused, which would hold up all later ones. */
  private Decision decideRefused(String name) {
    return agenda.isTainted(name) && type == ResourceType.CLUSTER
        ? Decision.REMOVE
        : decideMissing(name);
  }

  private Decision decideAbsent(String name) {
    Resource held = holdings.running().get(name);
    if (type == ResourceType.ENDPOINTS && held != null && agenda.mustSend(name)) {
      return new Decision.Send(held); // its cluster may be on its way out, and waits for them still
    }
    if (!holdings.contains(name) && !agenda.isUnsure(name)) {
      return Gate.maySayMissing(type, name, session) ? decideMissing(name) : Decision.WAIT;
    }
    if (type != ResourceType.LISTENER && subscription.named(name) && !subscription.isWildcard()) {
      return Decision.NOTHING; // who asks by name lets go of it when nothing refers to it
    }
    return type != ResourceType.CLUSTER || Gate.mayRemoveCluster(name, session.proxy())
        ? Decision.REMOVE
        : Decision.WAIT;
  }

  private Decision decideMissing(String name) {
    return subscription.named(name) && !agenda.knowsMissing(name) && session.canSayMissing(type)
        ? new Decision.Missing(Absence.reason(new ResourceId(type, name), session))
        : Decision.NOTHING;
  }
}
