// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import dev.holdfast.controlplane.snapshot.ResourceType;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Works out what a proxy holds that comes back with versions of it: what is shown, or was. */
final class Comeback {
  private final Session session;
  private final ResourceType type;
  private final Subscription subscription;
  private final Holdings holdings;
  private final Agenda agenda;

  Comeback(
      Session session,
      ResourceType type,
      Subscription subscription,
      Holdings holdings,
      Agenda agenda) {
    this.session = session;
    this.type = type;
    this.subscription = subscription;
    this.holdings = holdings;
    this.agenda = agenda;
  }

  /**
   * It says that it holds everything it asked for in this version; false if that means nothing.
   *
   * @param wanted what it ought to hold
   */
  boolean with(String version, ResourceTable wanted) {
    String digest = Nonces.digest(version);
    if (wanted.version().equals(digest)) {
      holdings.run(wanted);
      if (!isWaitedFor()) {
        agenda.takeEverything();
        List.copyOf(agenda.names()).forEach(agenda::settle);
      }
      return true;
    }
    ResourceTable known = session.server().departed().table(session.proxy(), type, digest);
    if (known != null) {
      holdings.run(known);
      return true;
    }
    if (type == ResourceType.ROUTES) {
      subscription.names().forEach(holdings::addForeign);
    }
    return false;
  }

  /** It says what it holds, name by name; false if some of it means nothing. */
  boolean with(Map<String, String> versions) {
    boolean all = true;
    for (Map.Entry<String, String> held : versions.entrySet()) {
      String name = held.getKey();
      Resource newest = session.view().get(type, name);
      boolean refused = newest != null && session.rejections().contains(newest);
      if (newest != null && !refused && newest.version().equals(held.getValue())) {
        holdings.add(newest);
        if (!isWaitedFor()) {
          agenda.unforce(name);
        }
      } else {
        all &= recognise(name, held.getValue());
        agenda.add(name);
      }
    }
    return all;
  }

  /**
   * Envoy asks for clusters first, unless some of them wait for their endpoints: then it does not
   * ask for any before these have come, be it once more.
   */
  private boolean isWaitedFor() {
    return type == ResourceType.ENDPOINTS
        && session.isAggregated()
        && session.node().isEnvoy()
        && session.channel(ResourceType.CLUSTER) == null;
  }

  private boolean recognise(String name, String version) {
    @Nullable Resource known =
        session.server().departed().resource(session.proxy(), type, name, version);
    if (known == null) {
      holdings.addForeign(name);
      return false;
    }
    holdings.add(known);
    return true;
  }
}
